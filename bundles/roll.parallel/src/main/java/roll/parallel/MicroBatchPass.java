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
 * One micro-batch in progress on a rank, with the tensors that its backward pass needs. Owns them.
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
  private RankVisionTower.@Nullable TowerPass seen;
  private @Nullable NDArray last;
  private Head.@Nullable Output output;
  private long bytes;

  /**
   * The tensors that the backward pass of half a layer needs.
   *
   * @param input the rank's share of its input residual stream
   * @param tape its recorded graph, or null if it is recomputed
   */
  record Half(NDArray input, @Nullable NDList tape) {}

  /**
   * Creates a pass that has not begun.
   *
   * @param owner owns the kept tensors; closed with this object
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

  /** Returns the tokens of the micro-batch, without pictures. */
  TokenTensors text() {
    return text;
  }

  /** Returns the token ids of the micro-batch, int64 [B, T]. */
  NDArray tokens() {
    return text.tokens();
  }

  /** int64 [N], indices into the flattened [B · T] of the head's inputs. */
  NDArray rows() {
    return text.rows();
  }

  /** int64 [N], the next token of each. */
  NDArray targets() {
    return targets;
  }

  /** int64 [n + 1], cumulative sequence lengths of a row, beginning with 0. */
  NDArray segments() {
    return text.segments();
  }

  /** Returns the shape of the hidden states, [B, T, C]. */
  Shape shape() {
    return shape;
  }

  /** Sets the vision input, with the tensors of the vision tower's backward pass. */
  void see(RankVisionTower.TowerPass sight) {
    seen = sight;
    keep(sight.inputs().stream().mapToLong(NDArray::size).sum());
  }

  /** Returns the vision input, or null if no rank has pictures. */
  RankVisionTower.@Nullable TowerPass seen() {
    return seen;
  }

  private @Nullable DecoderInput input() {
    return seen == null ? null : seen.input();
  }

  /** int64 [M], indices of the image placeholders in the flattened [B · T]. */
  NDArray places() {
    DecoderInput input = input();
    return input == null ? nowhere : input.places();
  }

  /** f32 [M, vectors · C], features of pictures; [0] without pictures. */
  NDArray features() {
    DecoderInput input = input();
    return input == null ? nothing : input.features();
  }

  /**
   * Returns the cosines of all positions of {@code table}, or with pictures those of the tokens.
   */
  NDArray cos(RotaryTable table) {
    DecoderInput input = input();
    return input == null ? table.cos() : input.cos();
  }

  /** Returns the sines of the rotary embedding, like {@link #cos}. */
  NDArray sin(RotaryTable table) {
    DecoderInput input = input();
    return input == null ? table.sin() : input.sin();
  }

  /** Keeps the tensors for the backward pass of half a layer. */
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

  /** Returns the tensors kept for half {@code number} of this stage. */
  Half half(int number) {
    return halves.get(number);
  }

  /** Keeps the residual stream after the last layer and the head's output. */
  void end(NDArray all, Head.Output said) {
    last = all;
    output = said;
  }

  /** Returns the residual stream after the last layer, or null before {@link #end}. */
  @Nullable NDArray last() {
    return last;
  }

  /** Returns the head's output, or null before {@link #end}. */
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
