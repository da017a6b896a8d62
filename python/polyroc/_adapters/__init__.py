"""Other libraries' forms: scorers for scikit-learn, metrics for LightGBM and XGBoost.

May use every room below; nothing but the command line may use it.
"""
