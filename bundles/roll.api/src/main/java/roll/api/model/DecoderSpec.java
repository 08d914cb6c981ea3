package roll.api.model;

import java.util.List;

/**
 * The facts of a decoder-only transformer, enough to build its parameters and run it.
 *
 * @param modelType {@code model_type} of config.json
 * @param vocabulary rows of the embedding
 * @param hidden width of the residual stream
 * @param intermediate width of the feed-forward layer
 * @param layers number of layers
 * @param heads query heads
 * @param keyValueHeads key and value heads; divides {@code heads}
 * @param headSize width of a head
 * @param maxPositions longest context
 * @param normEpsilon ε of RMSNorm
 * @param ropeTheta base of the rotary embedding
 * @param qkvBias whether query, key and value projections have a bias
 * @param tiedHead whether the output head is the embedding
 * @param initializerRange standard deviation of random weights
 * @param parameters every parameter with its shape, in canonical order
 */
public record DecoderSpec(
    String modelType,
    int vocabulary,
    int hidden,
    int intermediate,
    int layers,
    int heads,
    int keyValueHeads,
    int headSize,
    int maxPositions,
    double normEpsilon,
    double ropeTheta,
    boolean qkvBias,
    boolean tiedHead,
    double initializerRange,
    List<Parameter> parameters) {
  /** Number of weights. */
  public long size() {
    return parameters.stream().mapToLong(Parameter::size).sum();
  }

  /**
   * One named tensor.
   *
   * @param name its name in the model's files
   * @param shape its dimensions
   * @param start how random weights begin
   */
  public record Parameter(String name, List<Integer> shape, Start start) {
    /** Number of weights. */
    public long size() {
      return shape.stream().mapToLong(Integer::longValue).reduce(1, (a, b) -> a * b);
    }
  }

  /** How a parameter begins where no file gives it. */
  public enum Start {
    /** Normally distributed with the initializer range. */
    NORMAL,
    /** All ones. */
    ONES,
    /** All zeros. */
    ZEROS
  }
}
