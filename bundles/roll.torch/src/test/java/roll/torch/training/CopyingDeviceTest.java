package roll.torch.training;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.batching.Cutting;
import roll.decoder.DecoderParameters;
import roll.huggingface.Safetensors;
import roll.huggingface.SafetensorsWriter;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;
import roll.testkit.SmallDecoder;
import roll.torch.Device;
import roll.torch.Precision;
import roll.torch.model.Parameters;
import roll.torch.training.TrainState.Kind;

/**
 * A model is read, trained, and read out to the same bits where its tensors are in the memory of
 * the host and where they are copied to and from it, as with a card.
 */
final class CopyingDeviceTest {
  private static final DecoderSpec SPEC =
      SmallDecoder.decoder(11, 16, 24, 2, 4, 2, EnumSet.of(Trait.QUERY_KEY_VALUE_BIAS));
  private static final AdamW.Settings SETTINGS = new AdamW.Settings(0.9, 0.999, 1e-8, 0.01, 1);

  private static void write(Path folder, TensorFormat format) throws IOException {
    try (Device device = Device.cpu(1)) {
      device.call(
          () -> {
            try (Parameters random = Parameters.random(device, SPEC, 5)) {
              SafetensorsWriter.writeModel(folder, random.stored(), format, 1L << 30);
            }
            return true;
          });
    }
  }

  /** Bytes of weights, moments and what files would hold, after two steps. */
  private static List<byte[]> trained(Device opened, Path folder, Dtype dtype) {
    try (Device device = opened) {
      return device.call(
          () -> {
            try (Parameters parameters = read(device, folder, dtype);
                GradientAccumulator sum =
                    new GradientAccumulator(device, parameters, Precision.of(dtype), 8, false, 2);
                Optimizer optimizer = new Optimizer(device, parameters.trained(), SETTINGS)) {
              for (int step = 0; step < 2; step++) {
                sum.run(
                    SmallDecoder.batch(), new Cutting.Samples(1), (samples, columns) -> columns, 1);
                optimizer.step(sum.gradients().tensors(), 1e-2);
              }
              return bytes(parameters, new LocalTrainState(parameters, optimizer));
            }
          });
    }
  }

  private static Parameters read(Device device, Path folder, Dtype dtype) {
    try (Safetensors files = Safetensors.open(folder)) {
      Parameters parameters = Parameters.read(device, SPEC, files, 0);
      if (dtype == Dtype.BF16) {
        parameters.narrow(device);
      }
      return parameters;
    }
  }

  private static List<byte[]> bytes(Parameters parameters, LocalTrainState state) {
    List<byte[]> bytes = new ArrayList<>();
    List<DecoderSpec.Parameter> all = DecoderParameters.of(SPEC);
    try (Arena arena = Arena.ofConfined()) {
      for (Kind kind : Kind.values()) {
        for (int i = 0; i < all.size(); i++) {
          if (!state.has(kind, i)) {
            continue;
          }
          MemorySegment numbers = arena.allocate(ValueLayout.JAVA_FLOAT, all.get(i).size());
          state.read(kind, i, 0, numbers);
          state.write(kind, i, 0, numbers);
          bytes.add(numbers.toArray(ValueLayout.JAVA_BYTE));
        }
      }
      for (StoredTensor tensor : parameters.stored()) {
        bytes.add(tensor.map(arena).toArray(ValueLayout.JAVA_BYTE));
      }
    }
    return bytes;
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void theSameBits(Dtype dtype, @TempDir Path folder) throws IOException {
    write(folder, dtype == Dtype.BF16 ? TensorFormat.BF16 : TensorFormat.F32);
    List<byte[]> expected = trained(Device.cpu(1), folder, dtype);
    List<byte[]> found = trained(Device.cpuByCopies(1, 64), folder, dtype);
    assertEquals(4 * DecoderParameters.of(SPEC).size(), found.size());
    IntStream.range(0, expected.size())
        .forEach(
            i -> assertEquals(Arrays.toString(expected.get(i)), Arrays.toString(found.get(i))));
  }

  @ParameterizedTest
  @EnumSource(Dtype.class)
  void whatIsNotCopiedIsRefused(Dtype dtype, @TempDir Path folder) throws IOException {
    write(folder, TensorFormat.F32);
    try (Device device = Device.cpuByCopies(1, 64)) {
      device.call(
          () -> {
            try (Parameters parameters = read(device, folder, dtype)) {
              assertThrows(IllegalArgumentException.class, () -> parameters.memory(0));
            }
            return true;
          });
    }
  }
}
