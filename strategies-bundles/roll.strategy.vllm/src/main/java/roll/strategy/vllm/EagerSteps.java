package roll.strategy.vllm;

import static java.util.Objects.requireNonNull;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.model.DecoderSpec;
import roll.decoder.ModelMemoryEstimate;
import roll.sampling.PictureFeatures;
import roll.sampling.PromptPictures;
import roll.sampling.ResponseState;
import roll.sampling.SamplingTensors;
import roll.strategy.vllm.SharedPrefixes.Prefix;
import roll.strategy.vllm.config.EngineSettings;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.MemoryLedger;
import roll.torch.Precision;
import roll.torch.model.RotaryTable;
import roll.torch.model.SmallForwardTuning;

/**
 * Runs engine steps that are not recorded, each by one call of {@code step.py}: prefill, and
 * decoding over {@link DecodeRows}. Used only on the compute thread.
 */
final class EagerSteps implements AutoCloseable {
  /** Minimum length of decode rows in tokens. */
  private static final int SHORTEST_ROW = 64;

  /**
   * Numbers of the keys of a layer that reading a prefix once must save: with fewer, the additional
   * calls take longer.
   */
  private static final int SHARED = 1 << 18;

  private final Device device;
  private final Kernels kernels;
  private final AttentionGroups attention;
  private final SmallForwardTuning tuning;
  private final DecodeRows rows;
  private final DecodeCache tables;
  private final @Nullable PictureFeatures pictures;
  private double seconds;
  private Reads reads = Reads.NONE;

  /**
   * Cached tokens that decoding sequences attend to.
   *
   * @param shared those that are read once for several sequences, counted for each
   */
  record Reads(long all, long shared) {
    static final Reads NONE = new Reads(0, 0);

    private Reads plus(DecodeRows.Group rows) {
      long prefix = (long) rows.offset() * rows.parts().size();
      long own = rows.parts().stream().mapToLong(part -> part.from() - rows.offset()).sum();
      return new Reads(all + prefix + own, shared + prefix);
    }
  }

  /**
   * Creates it without rows.
   *
   * @param kernels with the functions of {@code step.py}
   * @param flash whether they have flash attention
   * @param pictures features of pictures; null if the model has no vision
   */
  EagerSteps(
      Device device,
      Kernels kernels,
      DecoderSpec spec,
      Precision precision,
      EngineSettings settings,
      boolean flash,
      @Nullable PictureFeatures pictures,
      MemoryLedger ledger) {
    this.device = device;
    this.kernels = kernels;
    this.pictures = pictures;
    int cellNumbers = spec.attention().keys();
    this.attention =
        new AttentionGroups(
            settings.blockSize(),
            cellNumbers,
            flash ? AttentionGroups.Bounds.FLASH : AttentionGroups.Bounds.DENSE);
    this.tuning = new SmallForwardTuning(device, spec);
    // flash attention reads rows without one; on other cards no operator returns what it needs
    boolean shares = !precision.batchInvariant() && !device.computesAsCard();
    long least = shares ? Math.ceilDiv(SHARED, cellNumbers) : Long.MAX_VALUE;
    this.rows =
        new DecodeRows(
            SHORTEST_ROW, ModelRunner.PASSES, new SharedPrefixes(settings.blockSize(), least));
    long rowToken = new ModelMemoryEstimate(spec).cachedToken(precision.dtype());
    this.tables = new DecodeCache(device, kernels, ledger, rowToken);
  }

  /** Returns whether passes of {@code tokens} tokens should be combined in one call. */
  boolean brief(int tokens) {
    return tuning.brief(tokens);
  }

  /** Returns whether {@code part} decodes in a row. */
  boolean takes(StepPlan.Part part) {
    return rows.takes(part);
  }

  /** Runs the step {@code plan} over the blocks {@code cells}. */
  Drawn run(StepPlan plan, FormattedWeights weights, RotaryTable rotary, NDArray cells) {
    StepInput packing = new StepInput(plan, rows, attention);
    try (NDManager small = device.newManager()) {
      long[] packed = packing.numbers();
      int head = StepInput.head(packed);
      NDArray numbers = small.create(Arrays.copyOfRange(packed, head, packed.length));
      List<ResponseState> drawing = packing.responses();
      NDArray uniforms = SamplingTensors.uniforms(small, drawing, plan.passes());
      NDList sampling = SamplingTensors.of(small, drawing);
      NDList read = new NDList();
      NDList prefixes = new NDList();
      NDArray nothing = small.create(new Shape(0));
      tables.keep(packing.tables());
      for (DecodeRows.Group table : packing.tables()) {
        reads = reads.plus(table);
        read.add(tables.cells(table.table(), table.parts().size()));
        Prefix prefix = table.prefix();
        prefixes.add(prefix == null ? nothing : tables.prefix(prefix, table.offset(), cells));
      }
      rotary.reach(plan.reach());
      long begun = System.nanoTime();
      StepPictures seen = new StepPictures(packing.parts());
      NDArray none = small.create(new Shape(0), DataType.INT64);
      NDArray turns =
          seen.isEmpty() ? none : small.create(seen.positions(), new Shape(3, plan.tokens()));
      NDArray places = seen.slices().isEmpty() ? none : small.create(seen.places());
      NDList shown = shown(small, seen, weights);
      NDList tensors = weights.tensors(plan.tokens());
      double[] drawn =
          tuning
              .run(
                  plan.tokens(),
                  () ->
                      kernels.call(
                          small,
                          "step",
                          tensors,
                          rotary.cos(),
                          rotary.sin(),
                          cells,
                          read,
                          prefixes,
                          Arrays.copyOf(packed, head),
                          numbers,
                          turns,
                          places,
                          shown,
                          uniforms,
                          sampling))
              .singletonOrThrow()
              .toDoubleArray();
      seconds += (System.nanoTime() - begun) * 1e-9;
      return Drawn.of(packing.drawing(), drawn);
    }
  }

  /** Returns the features of pictures, computed or cached. */
  private NDList shown(NDManager small, StepPictures seen, FormattedWeights weights) {
    NDList shown = new NDList();
    for (PromptPictures.Slice slice : seen.slices()) {
      NDArray features =
          requireNonNull(pictures).of(slice.picture(), weights.tower(), weights.version());
      int end = slice.from() + slice.count();
      shown.addAll(kernels.call(small, "slice_rows", features, slice.from(), end));
    }
    return shown;
  }

  /** Returns the total seconds spent in native calls. */
  double seconds() {
    return seconds;
  }

  /** Returns the reads of decoding since the previous call. */
  Reads takeReads() {
    Reads taken = reads;
    reads = Reads.NONE;
    return taken;
  }

  /** Releases all rows, whose memory stays. */
  void releaseRows() {
    rows.clear();
  }

  /** Releases all rows, and frees their memory and the features of pictures. */
  void forget() {
    rows.clear();
    tables.close();
    forgetPictures();
  }

  /** Frees the features of pictures. */
  void forgetPictures() {
    if (pictures != null) {
      pictures.clear();
    }
  }

  @Override
  public void close() {
    tables.close();
  }
}
