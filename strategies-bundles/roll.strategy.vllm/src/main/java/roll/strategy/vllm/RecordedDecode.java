package roll.strategy.vllm;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.memory.MemoryKind;
import roll.sampling.SamplingNumbers;
import roll.strategy.vllm.config.EngineSettings;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.MemoryLedger;
import roll.torch.StepRecorder;
import roll.torch.TensorMemory;
import roll.torch.model.RotaryTable;

/**
 * Decodes by steps that are recorded once for each bucket of rows and each set of sampling
 * settings, and replayed: one copy to the device, one replay for each pass, one copy back. Used
 * only on the compute thread.
 */
final class RecordedDecode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RecordedDecode.class);

  /** Sets of settings with recordings at the same time; with one more all are recorded anew. */
  private static final int FAMILIES = 8;

  private final Device device;
  private final Kernels kernels;
  private final StepRecorder recorder;
  private final MemoryLedger ledger;
  private final EngineSettings settings;
  private final int passes;
  private final long tokenBytes;
  private final int tokens;
  private final DecodeRanges ranges;
  private final Map<List<Integer>, RecordedSteps> families = new HashMap<>();
  private @Nullable NDManager owner;
  private @Nullable NDArray table;
  private long[] places = {};
  private @Nullable NDList placed;
  private boolean off;

  /**
   * Creates it without memory.
   *
   * @param kernels with the functions of {@code recorded_pass.py}
   * @param passes maximum passes of a step
   * @param tokenBytes bytes of a token in the table
   */
  RecordedDecode(
      Device device,
      Kernels kernels,
      StepRecorder recorder,
      MemoryLedger ledger,
      EngineSettings settings,
      int passes,
      long tokenBytes) {
    this.device = device;
    this.kernels = kernels;
    this.recorder = recorder;
    this.ledger = ledger;
    this.settings = settings;
    this.passes = passes;
    this.tokenBytes = tokenBytes;
    this.tokens = settings.blocks() * settings.blockSize();
    this.ranges = new DecodeRanges(tokens, settings.maxModelLength(), passes);
  }

  /** Returns whether {@link #run} may decode {@code part}. */
  boolean takes(StepPlan.Part part) {
    return !off && ranges.takes(part);
  }

  /**
   * Decodes what of {@code plan} a recorded step can, after the plan's copies. If the device cannot
   * record, nothing is decoded, now and later.
   */
  Drawn run(StepPlan plan, NDList weights, RotaryTable rotary, NDArray cells) {
    DecodeRanges.Arrangement rows =
        ranges.arrange(
            plan.parts().stream().filter(this::takes).limit(RecordedInput.MOST_ROWS).toList());
    if (rows.seats().isEmpty()) {
      return Drawn.NONE;
    }
    var model = new RecordedSteps.Model(weights, rotary.cos(), rotary.sin(), cells, table());
    List<EngineRequest> sequences =
        rows.seats().stream().map(seat -> seat.part().sequence()).toList();
    SamplingNumbers sampling =
        SamplingNumbers.of(sequences.stream().map(EngineRequest::response).toList(), passes);
    RecordedSteps family =
        recorded(RecordedInput.bucket(sequences.size()), sampling.widths(), model);
    if (family == null) {
      return Drawn.NONE;
    }
    prepare(plan, rows.joins(), model);
    return new Drawn(sequences, family.run(rows.seats(), plan.passes(), sampling));
  }

  /** Returns the recordings of {@code widths}; null, and gives up, if the device cannot record. */
  private @Nullable RecordedSteps recorded(
      int rows, List<Integer> widths, RecordedSteps.Model model) {
    try {
      forgetIfMoved(model);
      if (families.size() == FAMILIES && !families.containsKey(widths)) {
        closeFamilies();
      }
      RecordedSteps family = families.computeIfAbsent(widths, key -> open(key, model));
      family.record(rows, model);
      return family;
    } catch (RuntimeException failure) {
      LOG.warn(
          "{}: no CUDA graphs, because recording failed ({}): decoding starts each operation by"
              + " itself and may take several times as long",
          device.name(),
          failure.getMessage());
      off = true;
      close();
      return null;
    }
  }

  private RecordedSteps open(List<Integer> widths, RecordedSteps.Model model) {
    return new RecordedSteps(device, kernels, recorder, settings, passes, widths, model);
  }

  /** Copies blocks, and fills the ranges of new rows. */
  private void prepare(StepPlan plan, List<DecodeRanges.Seat> joins, RecordedSteps.Model model) {
    if (plan.copies().isEmpty() && joins.isEmpty()) {
      return;
    }
    LongStream.Builder numbers = LongStream.builder();
    plan.copies().forEach(copy -> numbers.add(copy.from().id));
    plan.copies().forEach(copy -> numbers.add(copy.to().id));
    long[] rows = new long[3 * joins.size()];
    for (int j = 0; j < joins.size(); j++) {
      StepPlan.Part part = joins.get(j).part();
      int blocks = Math.ceilDiv(part.from(), settings.blockSize());
      rows[3 * j] = joins.get(j).start();
      rows[3 * j + 1] = part.from();
      rows[3 * j + 2] = blocks;
      part.sequence().blocks().stream().limit(blocks).forEach(block -> numbers.add(block.id));
    }
    try (NDManager small = device.newManager()) {
      NDArray read = small.create(numbers.build().toArray());
      kernels.call(
          small, "prepare_ranges", model.cells(), model.table(), plan.copies().size(), rows, read);
    }
  }

  /** Returns the table of ranges, with one token more for rows without a sequence. */
  private NDArray table() {
    NDArray all = table;
    if (all == null) {
      NDManager manager = device.newManager();
      owner = manager;
      all = kernels.call(manager, "open_ranges", tokens + 1).singletonOrThrow();
      table = all;
      ledger.add(MemoryKind.KV_CACHE, (tokens + 1) * tokenBytes);
    }
    return all;
  }

  /** Compares identities: lists of weights are replaced, never changed. */
  private static boolean same(Object weights, @Nullable Object others) {
    return weights == others;
  }

  /** Closes all recordings if a tensor that they read has another address. */
  private void forgetIfMoved(RecordedSteps.Model model) {
    if (!same(model.weights(), placed) || !Arrays.equals(places, 0, 4, others(model), 0, 4)) {
      long[] now =
          LongStream.concat(
                  LongStream.of(others(model)),
                  model.weights().stream().mapToLong(TensorMemory::place))
              .toArray();
      if (!Arrays.equals(places, now)) {
        closeFamilies();
      }
      places = now;
      placed = model.weights();
    }
  }

  private long[] others(RecordedSteps.Model model) {
    return new long[] {
      TensorMemory.place(model.table()),
      TensorMemory.place(model.cells()),
      TensorMemory.place(model.cos()),
      TensorMemory.place(model.sin())
    };
  }

  /** Releases all ranges; the recordings stay. */
  void forget() {
    ranges.clear();
  }

  private void closeFamilies() {
    families.values().forEach(RecordedSteps::close);
    families.clear();
  }

  /** Frees all memory, which the next step takes again. */
  @Override
  public void close() {
    ranges.clear();
    closeFamilies();
    if (owner != null) {
      owner.close();
      ledger.add(MemoryKind.KV_CACHE, -(tokens + 1) * tokenBytes);
    }
    owner = null;
    table = null;
    placed = null;
    places = new long[0];
  }
}
