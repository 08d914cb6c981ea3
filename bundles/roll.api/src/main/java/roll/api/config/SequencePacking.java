package roll.api.config;

/**
 * Samples of a micro-batch laid end to end, without padding ({@code use_sequence_packing}).
 *
 * @param balanced whether micro-batches have nearly equal sums of tokens ({@code algorithm:
 *     load_balance}); otherwise they are filled in order of length
 * @param minTrain fewest micro-batches of one forward and backward, as far as there are samples
 *     ({@code min_num_micro_batches_train})
 * @param minInfer fewest micro-batches of one forward ({@code min_num_micro_batches_forward})
 */
public record SequencePacking(boolean balanced, int minTrain, int minInfer) {}
