package roll.strategy.vllm;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import roll.sampling.SamplingNumbers;
import roll.strategy.vllm.config.EngineSettings;
import roll.torch.Device;
import roll.torch.Kernels;
import roll.torch.StepRecorder;
import roll.torch.foreign.PinnedMemory;

/**
 * The recordings of decode steps with one set of sampling settings, by buckets of rows, and their
 * input and output. Used only on the compute thread.
 */
final class RecordedSteps implements AutoCloseable {
  private final Device device;
  private final Kernels kernels;
  private final StepRecorder recorder;
  private final EngineSettings settings;
  private final int passes;
  private final List<Integer> widths;
  private Model model;
  private final Map<Integer, StepRecorder.Recording> recordings = new LinkedHashMap<>();
  private final NDManager tensors;
  private final NDArray input;
  private final NDArray output;
  private final PinnedMemory memory;

  /** The tensors that all recordings read besides their input. */
  record Model(NDList weights, NDArray cos, NDArray sin, NDArray cells, NDArray table) {}

  /**
   * Creates input and output, without recordings.
   *
   * @param kernels with {@code recorded_pass.py}
   * @param passes maximum passes of a step
   * @param widths of the sampling settings
   */
  RecordedSteps(
      Device device,
      Kernels kernels,
      StepRecorder recorder,
      EngineSettings settings,
      int passes,
      List<Integer> widths,
      Model model) {
    this.device = device;
    this.kernels = kernels;
    this.recorder = recorder;
    this.settings = settings;
    this.passes = passes;
    this.widths = widths;
    this.model = model;
    this.tensors = device.newManager();
    int most = Math.min(RecordedInput.MOST_ROWS, RecordedInput.bucket(settings.maxSequences()));
    int size = RecordedInput.size(most, passes, widths);
    this.input = tensors.create(new Shape(size), DataType.INT64);
    this.output = tensors.create(new Shape(3L * passes * most), DataType.FLOAT64);
    this.memory = new PinnedMemory(Math.max(size, 3L * passes * most) * Long.BYTES);
  }

  private RecordedInput layout(int rows) {
    int cells = settings.blocks() * settings.blockSize();
    return new RecordedInput(rows, passes, settings.blockSize(), cells, cells);
  }

  /**
   * Records {@code rows} rows and all smaller buckets, the largest first, unless they are.
   *
   * @param now at the addresses of earlier calls
   */
  void record(int rows, Model now) {
    model = now;
    for (int bucket : RecordedInput.buckets(rows)) {
      if (!recordings.containsKey(bucket)) {
        write(layout(bucket).numbers(List.of(), 0, SamplingNumbers.of(List.of(), 0), widths));
        recordings.put(bucket, recorder.record(() -> pass(bucket)));
      }
    }
  }

  private void pass(int rows) {
    try (NDManager small = device.newManager()) {
      NDList unused =
          kernels.call(
              small,
              "recorded_pass",
              model.weights(),
              model.cos(),
              model.sin(),
              model.cells(),
              model.table(),
              input,
              output,
              rows,
              passes,
              settings.maxModelLength(),
              widths.stream().mapToLong(width -> width).toArray());
    }
  }

  private void write(long[] numbers) {
    MemorySegment host = memory.segment().asSlice(0, (long) numbers.length * Long.BYTES);
    MemorySegment.copy(numbers, 0, host, ValueLayout.JAVA_LONG, 0, numbers.length);
    device.transfer().write(input, 0, host);
  }

  /** Returns the sampled tokens and log-probs [used, 3, seats]. */
  double[] run(List<DecodeRanges.Seat> seats, int used, SamplingNumbers sampling) {
    int rows = RecordedInput.bucket(seats.size());
    write(layout(rows).numbers(seats, used, sampling, widths));
    StepRecorder.Recording recording = recordings.get(rows);
    if (recording == null) {
      throw new IllegalStateException("the step is not recorded");
    }
    for (int pass = 0; pass < used; pass++) {
      recording.replay();
    }
    MemorySegment host = memory.segment().asSlice(0, 3L * used * rows * Double.BYTES);
    device.transfer().read(output, 0, host);
    int count = seats.size();
    return IntStream.range(0, 3 * used * count)
        .mapToDouble(
            i -> host.getAtIndex(ValueLayout.JAVA_DOUBLE, (long) i / count * rows + i % count))
        .toArray();
  }

  @Override
  public void close() {
    recordings.values().forEach(StepRecorder.Recording::close);
    memory.close();
    tensors.close();
  }
}
