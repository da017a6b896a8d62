"""What the machine may do: threads, memory, instruction sets, processes, interrupts."""
