package roll.torch.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.api.option.UserException;
import roll.decoder.DecoderParameters;
import roll.torch.Device;
import roll.torch.Shapes;
import roll.torch.huggingface.Safetensors;
import roll.torch.huggingface.SafetensorsWriter;
import roll.torch.huggingface.StoredTensor;
import roll.torch.huggingface.TensorFormat;

/** What becomes of the tensors in files. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WeightReaderTest {
  private static final DecoderSpec TIED =
      Shapes.decoder(11, 16, 24, 1, 4, 2, Set.of(Trait.TIED_HEAD));

  private final Device device = Device.cpu(1);

  @AfterAll
  void close() {
    device.close();
  }

  /** Numbers that bf16 and f16 hold exactly. */
  private static StoredTensor tensor(String name, List<Integer> shape, int first) {
    int size = shape.stream().reduce(1, (a, b) -> a * b);
    MemorySegment data = Arena.ofAuto().allocate(4L * size);
    for (int i = 0; i < size; i++) {
      data.setAtIndex(ValueLayout.JAVA_FLOAT, i, ((first + i) % 100) / 8f - 3);
    }
    List<Long> dimensions = shape.stream().map(Integer::longValue).toList();
    return new StoredTensor(name, TensorFormat.F32, dimensions, data);
  }

  private static List<StoredTensor> model(DecoderSpec spec) {
    List<StoredTensor> tensors = new ArrayList<>();
    DecoderParameters.of(spec)
        .forEach(p -> tensors.add(tensor(p.name(), p.shape(), tensors.size())));
    return tensors;
  }

  private static float[] floats(StoredTensor tensor) {
    float[] values = new float[(int) tensor.size()];
    tensor.readFloats(0, MemorySegment.ofArray(values));
    return values;
  }

  /** What is done with weights from files that were closed. */
  private interface Use {
    void with(Parameters parameters);
  }

  private void reading(Path folder, DecoderSpec spec, Use use) {
    device.call(
        () -> {
          Parameters parameters;
          try (Safetensors files = Safetensors.open(folder)) {
            parameters = Parameters.read(device, spec, files, 0);
          }
          use.with(parameters);
          parameters.close();
          return true;
        });
  }

  private void mapping(Path folder, Dtype compute, Use use) {
    device.call(
        () -> {
          Parameters parameters;
          try (Safetensors files = Safetensors.open(folder)) {
            parameters = Parameters.map(device, TIED, files, 0, compute);
          }
          use.with(parameters);
          parameters.close();
          parameters.close();
          return true;
        });
  }

  @ParameterizedTest
  @EnumSource(
      value = TensorFormat.class,
      names = {"F32", "F16", "BF16"})
  void everyFormatIsReadExactly(TensorFormat format, @TempDir Path folder) throws IOException {
    List<StoredTensor> tensors = model(TIED);
    SafetensorsWriter.writeModel(folder, tensors, format, 300);
    reading(
        folder,
        TIED,
        parameters -> {
          for (int i = 0; i < tensors.size(); i++) {
            assertArrayEquals(floats(tensors.get(i)), parameters.tensors().get(i).toFloatArray());
          }
        });
    mapping(
        folder,
        Dtype.FP32,
        parameters -> {
          for (int i = 0; i < tensors.size(); i++) {
            assertArrayEquals(floats(tensors.get(i)), parameters.tensors().get(i).toFloatArray());
          }
        });
  }

  @Test
  void readWeightsCanBeWritten(@TempDir Path folder) throws IOException {
    SafetensorsWriter.writeModel(folder, model(TIED), TensorFormat.F32, 1 << 20);
    byte[] before = Files.readAllBytes(folder.resolve(Safetensors.SINGLE));
    reading(
        folder,
        TIED,
        parameters -> {
          parameters.tensors().get(0).addi(1);
          assertEquals(-2, parameters.tensors().get(0).toFloatArray()[0]);
        });
    assertArrayEquals(before, Files.readAllBytes(folder.resolve(Safetensors.SINGLE)));
  }

  /** A file may lie anywhere: its data begin at an odd byte here. */
  @Test
  void dataMayLieAnywhere(@TempDir Path folder) throws IOException {
    SafetensorsWriter.writeModel(folder, model(TIED), TensorFormat.F32, 1 << 20);
    Path file = folder.resolve(Safetensors.SINGLE);
    byte[] bytes = Files.readAllBytes(file);
    byte[] moved = new byte[bytes.length + 1];
    System.arraycopy(bytes, 0, moved, 0, 8);
    moved[0]++;
    moved[8] = '{';
    moved[9] = ' ';
    System.arraycopy(bytes, 9, moved, 10, bytes.length - 9);
    Files.write(file, moved);
    float[] expected = floats(model(TIED).getFirst());
    reading(
        folder,
        TIED,
        parameters -> assertArrayEquals(expected, parameters.tensors().get(0).toFloatArray()));
    mapping(
        folder,
        Dtype.FP32,
        parameters -> assertArrayEquals(expected, parameters.tensors().get(0).toFloatArray()));
  }

  @Test
  void aTiedHeadMayBeStoredAsEitherOrBoth(@TempDir Path folder) throws IOException {
    List<StoredTensor> tensors = model(TIED);
    float[] expected = floats(tensors.getFirst());
    tensors.add(tensor("lm_head.weight", List.of(11, 16), 0));
    for (int skipped : new int[] {-1, 0, tensors.size() - 1}) {
      List<StoredTensor> some =
          IntStream.range(0, tensors.size())
              .filter(i -> i != skipped)
              .mapToObj(tensors::get)
              .toList();
      SafetensorsWriter.writeModel(folder, some, TensorFormat.BF16, 1 << 20);
      reading(
          folder,
          TIED,
          parameters -> assertArrayEquals(expected, parameters.tensors().get(0).toFloatArray()));
    }
    tensors.set(tensors.size() - 1, tensor("lm_head.weight", List.of(11, 16), 1));
    SafetensorsWriter.writeModel(folder, tensors, TensorFormat.BF16, 1 << 20);
    refused(
        folder,
        TIED,
        "lm_head.weight is not model.embed_tokens.weight, although config.json says"
            + " tie_word_embeddings: true");
  }

  @Test
  void anUntiedHeadMustBeThere(@TempDir Path folder) throws IOException {
    SafetensorsWriter.writeModel(folder, model(TIED), TensorFormat.F32, 1 << 20);
    refused(
        folder,
        Shapes.decoder(11, 16, 24, 1, 4, 2, Set.of()),
        "tensor 'lm_head.weight' is missing");
  }

  private void refused(Path folder, DecoderSpec spec, String part) {
    String line =
        assertThrows(UserException.class, () -> reading(folder, spec, parameters -> {}))
            .getMessage();
    assertTrue(line.endsWith(part), line);
  }

  @Test
  void aFileThatShrinksIsNoCrash(@TempDir Path folder) throws IOException {
    SafetensorsWriter.writeModel(folder, model(TIED), TensorFormat.F32, 1 << 20);
    Path file = folder.resolve(Safetensors.SINGLE);
    try (Safetensors files = Safetensors.open(folder)) {
      Files.write(file, new byte[100]);
      StoredTensor tensor = files.tensors().get("model.norm.weight");
      float[] target = new float[16];
      assertThrows(UserException.class, () -> tensor.readFloats(0, MemorySegment.ofArray(target)));
    }
  }

  /** Its last number is another: NaN and infinities are refused, a sum that overflows is not. */
  private void spoiled(Path folder, TensorFormat format, float... numbers) throws IOException {
    List<StoredTensor> tensors = model(TIED);
    StoredTensor last = tensors.getLast();
    float[] values = floats(last);
    System.arraycopy(numbers, 0, values, 0, numbers.length);
    MemorySegment data = Arena.ofAuto().allocate(4L * values.length);
    MemorySegment.copy(values, 0, data, ValueLayout.JAVA_FLOAT, 0, values.length);
    tensors.set(
        tensors.size() - 1, new StoredTensor(last.name(), TensorFormat.F32, last.shape(), data));
    SafetensorsWriter.writeModel(folder, tensors, format, 1 << 20);
  }

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
    String name = DecoderParameters.of(TIED).getLast().name();
    for (float[] numbers : bad) {
      spoiled(folder, format, numbers);
      Use refused =
          parameters -> {
            try (WeightReader reader = new WeightReader(device)) {
              assertEquals(
                  folder
                      + ": tensor '"
                      + name
                      + "' has numbers that are not finite (NaN or infinity)",
                  assertThrows(UserException.class, () -> reader.requireFinite(parameters, folder))
                      .getMessage());
            }
          };
      reading(folder, TIED, refused);
      mapping(folder, Dtype.BF16, refused);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = TensorFormat.class,
      names = {"F32", "BF16"})
  void numbersWhoseSumIsTooLargeAreNumbers(TensorFormat format, @TempDir Path folder)
      throws IOException {
    spoiled(folder, format, 3e38f, 3e38f, 3e38f);
    Use accepted =
        parameters -> {
          try (WeightReader reader = new WeightReader(device)) {
            reader.requireFinite(parameters, folder);
          }
        };
    reading(folder, TIED, accepted);
    mapping(folder, Dtype.BF16, accepted);
  }

  /** A layer more, or a bias: config.json describes another model than the files hold. */
  @ParameterizedTest
  @ValueSource(strings = {"model.layers.1.mlp.up_proj.weight", "model.layers.0.mlp.up_proj.bias"})
  void tensorsOfAnotherModelAreRefused(String name, @TempDir Path folder) throws IOException {
    List<StoredTensor> tensors = model(TIED);
    tensors.add(tensor(name, List.of(24), 0));
    tensors.add(tensor("model.layers.0.self_attn.rotary_emb.inv_freq", List.of(2), 0));
    SafetensorsWriter.writeModel(folder, tensors, TensorFormat.F32, 1 << 20);
    UserException refused =
        assertThrows(UserException.class, () -> reading(folder, TIED, parameters -> {}));
    assertEquals(
        folder.resolve(Safetensors.SINGLE)
            + ": tensor '"
            + name
            + "' is none of the model that config.json describes",
        refused.getMessage());
  }
}
