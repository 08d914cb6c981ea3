package roll.parallel;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.memory.MemoryKind;
import roll.torch.MemoryLedger;
import roll.torch.MicroBatch;
import roll.torch.TokenTensors;
import roll.torch.model.DecoderInput;
import roll.torch.model.Head;
import roll.torch.model.RotaryTable;

/**
 * One micro-batch on its way through a rank, and what the way back needs of the way there. Owns it.
 */
final class MicroBatchPass implements AutoCloseable {
  private final NDManager owner;
  private final MemoryLedger ledger;
  private final TokenTensors text;
  private final NDArray targets;
  private final NDArray nowhere;
  private final NDArray nothing;
  private final Shape shape;
  private final List<Half> halves = new ArrayList<>();
  private RankTower.@Nullable TowerPass seen;
  private @Nullable NDArray last;
  private Head.@Nullable Output output;
  private long bytes;

  /**
   * What is kept of half a layer.
   *
   * @param input the rank's share of the residual stream before it
   * @param tape what happened in it, or null where it is computed again
   */
  record Half(NDArray input, @Nullable NDList tape) {}

  /**
   * A micro-batch that begins.
   *
   * @param owner owns what is kept; this object closes it
   * @param width of the residual stream
   */
  MicroBatchPass(NDManager owner, MemoryLedger ledger, MicroBatch part, int width) {
    this.owner = owner;
    this.ledger = ledger;
    int samples = part.tokens().length / part.length();
    this.shape = new Shape(samples, part.length(), width);
    this.text = TokenTensors.of(owner, part);
    this.targets = owner.create(part.targets());
    this.nowhere = owner.create(new Shape(0), DataType.INT64);
    this.nothing = owner.create(new Shape(0), DataType.FLOAT32);
  }

  NDManager owner() {
    return owner;
  }

  /** The tokens, without what is seen. */
  TokenTensors text() {
    return text;
  }

  /** int64 [B, T]. */
  NDArray tokens() {
    return text.tokens();
  }

  /** int64 [N], positions in the flattened [B · T] whose hidden states the head sees. */
  NDArray rows() {
    return text.rows();
  }

  /** int64 [N], the token behind each. */
  NDArray targets() {
    return targets;
  }

  /** int64 [n + 1], where the samples of a row end, behind a 0. */
  NDArray bounds() {
    return text.bounds();
  }

  /** [B, T, C]. */
  Shape shape() {
    return shape;
  }

  /** Says what is seen, and keeps what the way back through the vision tower needs. */
  void see(RankTower.TowerPass sight) {
    seen = sight;
    keep(sight.inputs().stream().mapToLong(NDArray::size).sum());
  }

  /** What is seen, or null where no rank sees anything. */
  RankTower.@Nullable TowerPass seen() {
    return seen;
  }

  private @Nullable DecoderInput input() {
    return seen == null ? null : seen.input();
  }

  /** int64 [M], where features of pictures stand in the flattened [B · T]. */
  NDArray places() {
    DecoderInput input = input();
    return input == null ? nowhere : input.places();
  }

  /** f32 [M, C], of pictures; without any [0]. */
  NDArray features() {
    DecoderInput input = input();
    return input == null ? nothing : input.features();
  }

  /** Cosines of all positions of {@code table}, or where pictures are seen those of the tokens. */
  NDArray cos(RotaryTable table) {
    DecoderInput input = input();
    return input == null ? table.cos() : input.cos();
  }

  /** The sines. */
  NDArray sin(RotaryTable table) {
    DecoderInput input = input();
    return input == null ? table.sin() : input.sin();
  }

  /** Keeps what the way back through half a layer needs. */
  void keep(NDArray input, @Nullable NDList tape) {
    halves.add(new Half(input, tape));
    long more = input.size();
    if (tape != null) {
      more += tape.stream().limit(2).mapToLong(NDArray::size).sum();
    }
    keep(more);
  }

  private void keep(long floats) {
    bytes += floats * Float.BYTES;
    ledger.add(MemoryKind.ACTIVATIONS, floats * Float.BYTES);
  }

  /** What was kept of half {@code number} of this stage. */
  Half half(int number) {
    return halves.get(number);
  }

  /** Keeps all tokens behind the last layer, and what the head said of them. */
  void end(NDArray all, Head.Output said) {
    last = all;
    output = said;
  }

  /** The residual stream behind the last layer, or null before. */
  @Nullable NDArray last() {
    return last;
  }

  /** What the head said, or null before. */
  Head.@Nullable Output output() {
    return output;
  }

  @Override
  public void close() {
    ledger.add(MemoryKind.ACTIVATIONS, -bytes);
    bytes = 0;
    owner.close();
  }
}
