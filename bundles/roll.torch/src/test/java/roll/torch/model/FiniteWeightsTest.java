package roll.torch.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.decoder.DecoderParameters;
import roll.huggingface.SafetensorsWriter;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;
import roll.torch.Device;

/** Weights that are no numbers are refused, however they are stored; large ones are not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FiniteWeightsTest {
  @AutoClose private final Device device = Device.cpu(1);
  private final StoredModels models = new StoredModels(device);

  @ParameterizedTest
  @EnumSource(
      value = TensorFormat.class,
      names = {"F32", "F16", "BF16"})
  void weightsThatAreNoNumbersAreRefusedByName(TensorFormat format, @TempDir Path folder)
      throws IOException {
    float infinity = Float.POSITIVE_INFINITY;
    List<float[]> bad =
        List.of(
            new float[] {Float.NaN},
            new float[] {infinity},
            new float[] {0, -infinity},
            new float[] {infinity, -infinity});
    String name = DecoderParameters.of(StoredModels.TIED).getLast().name();
    for (float[] numbers : bad) {
      spoiled(folder, format, numbers);
      StoredModels.Use refused =
          parameters -> {
            try (WeightReader reader = new WeightReader(device)) {
              assertEquals(
                  folder
                      + ": tensor '"
                      + name
                      + "' has numbers that are not finite (NaN or infinity)",
                  userError(() -> reader.requireFinite(parameters, folder)));
            }
          };
      models.reading(folder, StoredModels.TIED, refused);
      models.mapping(folder, Dtype.BF16, refused);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = TensorFormat.class,
      names = {"F32", "BF16"})
  void numbersWhoseSumIsTooLargeAreNumbers(TensorFormat format, @TempDir Path folder)
      throws IOException {
    spoiled(folder, format, 3e38f, 3e38f, 3e38f);
    StoredModels.Use accepted =
        parameters -> {
          try (WeightReader reader = new WeightReader(device)) {
            reader.requireFinite(parameters, folder);
          }
        };
    models.reading(folder, StoredModels.TIED, accepted);
    models.mapping(folder, Dtype.BF16, accepted);
  }

  /** A model whose last tensor begins with {@code numbers}. */
  private void spoiled(Path folder, TensorFormat format, float... numbers) throws IOException {
    List<StoredTensor> tensors = StoredModels.model(StoredModels.TIED);
    StoredTensor last = tensors.getLast();
    float[] values = StoredModels.floats(last);
    System.arraycopy(numbers, 0, values, 0, numbers.length);
    MemorySegment data = Arena.ofAuto().allocate(4L * values.length);
    MemorySegment.copy(values, 0, data, ValueLayout.JAVA_FLOAT, 0, values.length);
    tensors.set(
        tensors.size() - 1, new StoredTensor(last.name(), TensorFormat.F32, last.shape(), data));
    SafetensorsWriter.writeModel(folder, tensors, format, 1 << 20);
  }
}
