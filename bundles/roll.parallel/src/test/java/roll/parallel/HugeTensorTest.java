package roll.parallel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.api.strategy.LossFunction;
import roll.api.strategy.TokenBatch;
import roll.batching.Cutting;
import roll.decoder.DecoderParameters;
import roll.huggingface.Safetensors;
import roll.huggingface.SafetensorsWriter;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;
import roll.parallel.collective.Communicator;
import roll.parallel.collective.ThreadCollectives;
import roll.testkit.SmallDecoder;
import roll.torch.Device;
import roll.torch.Precision;
import roll.torch.TensorMemory;
import roll.torch.model.Parameters;
import roll.torch.training.AdamW;
import roll.torch.training.GradientAccumulator;
import roll.torch.training.HeadOutputLoss;
import roll.torch.training.LocalTrainState;
import roll.torch.training.Optimizer;
import roll.torch.training.TrainState;

/** An embedding of 3 GB, above what a Java buffer or an int can count. */
@Tag("slow")
final class HugeTensorTest {
  private static final int VOCABULARY = 786_432;
  private static final int HIDDEN = 1024;
  private static final DecoderSpec SPEC =
      SmallDecoder.decoder(VOCABULARY, HIDDEN, 64, 1, 8, 8, Set.of(Trait.TIED_HEAD));
  private static final long GIB = 1L << 30;

  /** The last row of the embedding. */
  private static final long LAST = (VOCABULARY - 1L) * HIDDEN;

  /** Bytes that programs can have, the page cache among them where the system says so. */
  private static long available() throws IOException {
    Path memory = Path.of("/proc/meminfo");
    if (Files.isReadable(memory)) {
      for (String line : Files.readAllLines(memory)) {
        if (line.startsWith("MemAvailable:")) {
          return Long.parseLong(line.replaceAll("\\D", "")) << 10;
        }
      }
    }
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getFreeMemorySize();
  }

  private static float value(long index) {
    return ((index * 0x9E3779B97F4A7C15L) >>> 40) * 0x1p-28f - 0x1p-5f;
  }

  private static void write(Path folder) throws IOException {
    List<StoredTensor> tensors =
        DecoderParameters.of(SPEC).stream()
            .map(
                parameter ->
                    StoredTensor.read(
                        parameter.name(),
                        TensorFormat.F32,
                        parameter.shape().stream().map(Integer::longValue).toList(),
                        HugeTensorTest::fill))
            .toList();
    SafetensorsWriter.writeModel(folder, tensors, TensorFormat.F32, SafetensorsWriter.SHARD_BYTES);
  }

  private static void fill(long first, MemorySegment target) {
    for (long i = 0; i < target.byteSize() / Float.BYTES; i++) {
      target.setAtIndex(ValueLayout.JAVA_FLOAT, i, value(first + i));
    }
  }

  private static Parameters read(Device device, Path folder) {
    try (Safetensors files = Safetensors.open(folder)) {
      return Parameters.read(device, SPEC, files, 0);
    }
  }

  private static float at(MemorySegment memory, long index) {
    return memory.getAtIndex(ValueLayout.JAVA_FLOAT, index);
  }

  @Test
  void isLoadedTrainedSavedAndReadBack(@TempDir Path folder) throws IOException {
    assumeTrue(
        available() > 18 * GIB && Files.getFileStore(folder).getUsableSpace() > 8 * GIB,
        "no 18 GiB of memory and 8 GiB of disk");
    write(folder);
    try (Device device = Device.cpu()) {
      device.call(
          () -> {
            try (Parameters parameters = read(device, folder)) {
              train(device, parameters);
              reduce(device, parameters);
              check(device, parameters, folder);
            }
            return true;
          });
    }
  }

  /** One step on tokens of both ends of the vocabulary. */
  private static void train(Device device, Parameters parameters) {
    MemorySegment embedding = parameters.memory(0);
    assertEquals(4L * VOCABULARY * HIDDEN, embedding.byteSize());
    assertEquals(value(LAST + 7), at(embedding, LAST + 7));
    int[] tokens = {0, VOCABULARY - 1, 5, VOCABULARY - 2};
    TokenBatch batch =
        new TokenBatch(new int[] {0, 4}, tokens, new boolean[] {false, true, true, true});
    LossFunction likelihood =
        (samples, scores) ->
            new roll.api.strategy.Gradients(new double[] {0, -1, -1, -1}, new double[4]);
    try (GradientAccumulator accumulation =
            new GradientAccumulator(device, parameters, Precision.of(Dtype.FP32), 8, false, 1);
        Optimizer optimizer =
            new Optimizer(
                device, parameters.trained(), new AdamW.Settings(0.9, 0.999, 1e-8, 0, 1e9))) {
      accumulation.run(batch, new Cutting.Samples(1), HeadOutputLoss.ofScores(likelihood), 1);
      float gradient = at(TensorMemory.of(accumulation.gradients().tensors().get(0)), LAST + 7);
      assertNotEquals(0, gradient);
      optimizer.step(accumulation.gradients().tensors(), 1e-3);
      // the first step of Adam is the rate against the sign of the gradient
      assertEquals(value(LAST + 7) - 1e-3f * Math.signum(gradient), at(embedding, LAST + 7), 1e-6f);
      accumulation.gradients().zero();
      LocalTrainState state = new LocalTrainState(parameters, optimizer);
      float[] moment = new float[2];
      state.read(TrainState.Kind.FIRST, 0, LAST + 7, MemorySegment.ofArray(moment));
      assertEquals(0.1f * gradient, moment[0], 1e-6f);
    }
  }

  /** Twice the embedding and once a copy, added up by two ranks. */
  private static void reduce(Device device, Parameters parameters) {
    MemorySegment embedding = parameters.memory(0);
    float expected = 2 * at(embedding, LAST + 7);
    try (Parameters other = Parameters.zeros(device, SPEC)) {
      other.memory(0).copyFrom(embedding);
      List<Communicator> ranks = new ThreadCollectives().open(2);
      Thread second = Thread.ofPlatform().start(() -> ranks.get(1).allReduce(other.memory(0)));
      ranks.get(0).allReduce(embedding);
      second.join();
      assertEquals(expected, at(embedding, LAST + 7));
      assertEquals(expected, at(other.memory(0), LAST + 7));
      assertEquals(-1, embedding.mismatch(other.memory(0)));
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  private static void check(Device device, Parameters parameters, Path folder) throws IOException {
    SafetensorsWriter.writeModel(
        folder, parameters.stored(), TensorFormat.F32, SafetensorsWriter.SHARD_BYTES);
    try (Parameters again = read(device, folder)) {
      assertEquals(-1, parameters.memory(0).mismatch(again.memory(0)));
      assertTrue(at(again.memory(0), LAST + 7) != 0);
    }
  }
}
