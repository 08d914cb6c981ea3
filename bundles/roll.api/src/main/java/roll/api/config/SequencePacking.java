package roll.api.config;

/**
 * Packing of the samples of a micro-batch into one sequence without padding ({@code
 * use_sequence_packing}).
 *
 * @param balanced whether micro-batches have nearly equal token counts ({@code algorithm:
 *     load_balance}); otherwise they are filled in order of length
 * @param minTrain minimum number of micro-batches per forward and backward pass, at most one per
 *     sample ({@code min_num_micro_batches_train})
 * @param minInfer minimum number of micro-batches per forward pass ({@code
 *     min_num_micro_batches_forward})
 */
public record SequencePacking(boolean balanced, int minTrain, int minInfer) {}
