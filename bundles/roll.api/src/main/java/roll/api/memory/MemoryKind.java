package roll.api.memory;

/** What the memory of a device is held for. */
public enum MemoryKind {
  /** Weights that stay on the device: all of a model, or the device's share. */
  PARAMETERS,
  /** Weights of other devices, there while a segment of the model is computed. */
  GATHERED,
  /** Gradients. */
  GRADIENTS,
  /** Moments and master weights of the optimizer. */
  OPTIMIZER,
  /** What a forward pass keeps for the backward pass. */
  ACTIVATIONS,
  /** Keys and values of sequences that are written, and hidden states of pictures they show. */
  KV_CACHE,
  /** State that is in files, and not in the device's memory. */
  OFFLOADED,
  /**
   * What is in use of an accelerator's memory, whoever uses it: what is counted by the other kinds,
   * activations, and what the allocator keeps for later. It is measured, never planned.
   */
  RESERVED
}
