package roll.torch.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.training.TrainState.Kind;

/**
 * AdamW with moments of 8 bits (Dettmers et al. 2022, arXiv 2110.02861): bytes, and a scale for
 * each block of 256. Only a part of a matrix at a time has f32 moments. Weight decay applies to
 * all: the weights are matrices. Owns the moments.
 *
 * <p>Unlike in the paper a second moment is never rounded to 0: with a gradient of 0, the next
 * update would be divided by ε alone.
 */
final class AdamW8Bit implements Updates {
  /** Numbers with a common scale. */
  static final int BLOCK = 256;

  /** Blocks of a part: few enough for the caches of a processor, many enough for a card. */
  private static final int CPU_ROWS = 1 << 10;

  private static final int CARD_ROWS = 1 << 14;

  private final Kernels kernels;
  private final NDManager owner;
  private final NDList weights;
  private final NDList first;
  private final NDList firstScales;
  private final NDList second;
  private final NDList secondScales;
  private final NDList codes;
  private final AdamW.Settings settings;

  /**
   * Creates updates of {@code weights}, with moments of zero.
   *
   * @param weights f32, updated in place
   */
  AdamW8Bit(Device device, NDList weights, AdamW.Settings settings) {
    this.kernels =
        Kernels.compile(
            device,
            Map.of("ROWS", device.accelerated() ? CARD_ROWS : CPU_ROWS),
            List.of(Kernels.source(AdamW8Bit.class, "adamw_8bit.py")));
    this.owner = device.newManager();
    this.weights = weights;
    this.first = bytes(weights);
    this.firstScales = scales(weights);
    this.second = bytes(weights);
    this.secondScales = scales(weights);
    this.codes = new NDList();
    float[] signed = DynamicCodes.signed();
    add(device, signed, DynamicCodes.ends(signed));
    float[] unsigned = DynamicCodes.unsigned();
    float[] ends = DynamicCodes.ends(unsigned);
    ends[0] = -1; // 0 is the next byte's
    add(device, unsigned, ends);
    this.settings = settings;
  }

  private void add(Device device, float[] numbers, float[] ends) {
    byte[] starts = DynamicCodes.starts(ends);
    NDArray stored = owner.create(new Shape(starts.length), DataType.UINT8);
    device.transfer().write(stored, 0, MemorySegment.ofArray(starts));
    codes.addAll(List.of(owner.create(numbers), owner.create(ends), stored));
  }

  private NDList bytes(NDList like) {
    NDList zeros = new NDList(like.size());
    like.forEach(tensor -> zeros.add(owner.zeros(tensor.getShape(), DataType.UINT8)));
    return zeros;
  }

  private NDList scales(NDList like) {
    NDList zeros = new NDList(like.size());
    like.forEach(tensor -> zeros.add(owner.zeros(new Shape(blocks(tensor.size())))));
    return zeros;
  }

  /** Returns the number of blocks of {@code size} numbers. */
  static long blocks(long size) {
    return Math.ceilDiv(size, BLOCK);
  }

  @Override
  public void step(NDManager scope, NDList gradients, long number, double rate, double norm) {
    kernels.call(
        scope,
        "adamw_8bit_step",
        weights,
        gradients,
        first,
        firstScales,
        second,
        secondScales,
        codes,
        number,
        rate,
        settings.beta1(),
        settings.beta2(),
        settings.epsilon(),
        settings.weightDecay(),
        settings.maxGradNorm(),
        norm);
  }

  @Override
  public @Nullable NDArray kept(Kind kind, int parameter) {
    return switch (kind) {
      case WEIGHT -> null;
      case FIRST -> first.get(parameter);
      case FIRST_SCALES -> firstScales.get(parameter);
      case SECOND -> second.get(parameter);
      case SECOND_SCALES -> secondScales.get(parameter);
    };
  }

  @Override
  public void close() {
    owner.close();
    kernels.close();
  }
}
