package roll.torch.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.option.UserException;
import roll.huggingface.Safetensors;
import roll.huggingface.SafetensorsWriter;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;
import roll.testkit.SmallDecoder;
import roll.torch.Device;

/** Tests the reading of tensors from files. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WeightReaderTest {
  @AutoClose private final Device device = Device.cpu(1);
  private final StoredModels models = new StoredModels(device);

  @ParameterizedTest
  @EnumSource(
      value = TensorFormat.class,
      names = {"F32", "F16", "BF16"})
  void everyFormatIsReadExactly(TensorFormat format, @TempDir Path folder) throws IOException {
    List<StoredTensor> tensors = StoredModels.model(StoredModels.TIED);
    SafetensorsWriter.writeModel(folder, tensors, format, 300);
    models.reading(
        folder,
        StoredModels.TIED,
        parameters -> {
          for (int i = 0; i < tensors.size(); i++) {
            assertArrayEquals(
                StoredModels.floats(tensors.get(i)), parameters.tensors().get(i).toFloatArray());
          }
        });
    models.mapping(
        folder,
        Dtype.FP32,
        parameters -> {
          for (int i = 0; i < tensors.size(); i++) {
            assertArrayEquals(
                StoredModels.floats(tensors.get(i)), parameters.tensors().get(i).toFloatArray());
          }
        });
  }

  @Test
  void readWeightsCanBeWritten(@TempDir Path folder) throws IOException {
    SafetensorsWriter.writeModel(
        folder, StoredModels.model(StoredModels.TIED), TensorFormat.F32, 1 << 20);
    byte[] before = Files.readAllBytes(folder.resolve(Safetensors.SINGLE));
    models.reading(
        folder,
        StoredModels.TIED,
        parameters -> {
          parameters.tensors().get(0).addi(1);
          assertEquals(-2, parameters.tensors().get(0).toFloatArray()[0]);
        });
    assertArrayEquals(before, Files.readAllBytes(folder.resolve(Safetensors.SINGLE)));
  }

  /** A file may lie anywhere: its data begin at an odd byte here. */
  @Test
  void dataMayLieAnywhere(@TempDir Path folder) throws IOException {
    SafetensorsWriter.writeModel(
        folder, StoredModels.model(StoredModels.TIED), TensorFormat.F32, 1 << 20);
    Path file = folder.resolve(Safetensors.SINGLE);
    byte[] bytes = Files.readAllBytes(file);
    byte[] moved = new byte[bytes.length + 1];
    System.arraycopy(bytes, 0, moved, 0, 8);
    moved[0]++;
    moved[8] = '{';
    moved[9] = ' ';
    System.arraycopy(bytes, 9, moved, 10, bytes.length - 9);
    Files.write(file, moved);
    float[] expected = StoredModels.floats(StoredModels.model(StoredModels.TIED).getFirst());
    models.reading(
        folder,
        StoredModels.TIED,
        parameters -> assertArrayEquals(expected, parameters.tensors().get(0).toFloatArray()));
    models.mapping(
        folder,
        Dtype.FP32,
        parameters -> assertArrayEquals(expected, parameters.tensors().get(0).toFloatArray()));
  }

  @Test
  void aTiedHeadMayBeStoredAsEitherOrBoth(@TempDir Path folder) throws IOException {
    List<StoredTensor> tensors = StoredModels.model(StoredModels.TIED);
    float[] expected = StoredModels.floats(tensors.getFirst());
    tensors.add(StoredModels.tensor("lm_head.weight", List.of(11, 16), 0));
    for (int skipped : new int[] {-1, 0, tensors.size() - 1}) {
      List<StoredTensor> some =
          IntStream.range(0, tensors.size())
              .filter(i -> i != skipped)
              .mapToObj(tensors::get)
              .toList();
      SafetensorsWriter.writeModel(folder, some, TensorFormat.BF16, 1 << 20);
      models.reading(
          folder,
          StoredModels.TIED,
          parameters -> assertArrayEquals(expected, parameters.tensors().get(0).toFloatArray()));
    }
    tensors.set(tensors.size() - 1, StoredModels.tensor("lm_head.weight", List.of(11, 16), 1));
    SafetensorsWriter.writeModel(folder, tensors, TensorFormat.BF16, 1 << 20);
    refused(
        folder,
        StoredModels.TIED,
        "lm_head.weight is not model.embed_tokens.weight, although config.json says"
            + " tie_word_embeddings: true");
  }

  @Test
  void anUntiedHeadMustBeThere(@TempDir Path folder) throws IOException {
    SafetensorsWriter.writeModel(
        folder, StoredModels.model(StoredModels.TIED), TensorFormat.F32, 1 << 20);
    refused(
        folder,
        SmallDecoder.decoder(11, 16, 24, 1, 4, 2, Set.of()),
        "tensor 'lm_head.weight' is missing");
  }

  private void refused(Path folder, DecoderSpec spec, String part) {
    String line = userError(() -> models.reading(folder, spec, parameters -> {}));
    assertTrue(line.endsWith(part), line);
  }

  @Test
  void aFileThatShrinksIsNoCrash(@TempDir Path folder) throws IOException {
    SafetensorsWriter.writeModel(
        folder, StoredModels.model(StoredModels.TIED), TensorFormat.F32, 1 << 20);
    Path file = folder.resolve(Safetensors.SINGLE);
    try (Safetensors files = Safetensors.open(folder)) {
      Files.write(file, new byte[100]);
      StoredTensor tensor = files.tensors().get("model.norm.weight");
      float[] target = new float[16];
      assertThrows(UserException.class, () -> tensor.readFloats(0, MemorySegment.ofArray(target)));
    }
  }

  /** A layer more, or a bias: config.json describes another model than the files hold. */
  @ParameterizedTest
  @ValueSource(strings = {"model.layers.1.mlp.up_proj.weight", "model.layers.0.mlp.up_proj.bias"})
  void tensorsOfAnotherModelAreRefused(String name, @TempDir Path folder) throws IOException {
    List<StoredTensor> tensors = StoredModels.model(StoredModels.TIED);
    tensors.add(StoredModels.tensor(name, List.of(24), 0));
    tensors.add(StoredModels.tensor("model.layers.0.self_attn.rotary_emb.inv_freq", List.of(2), 0));
    SafetensorsWriter.writeModel(folder, tensors, TensorFormat.F32, 1 << 20);
    assertEquals(
        folder.resolve(Safetensors.SINGLE)
            + ": tensor '"
            + name
            + "' does not belong to the model that config.json describes",
        userError(() -> models.reading(folder, StoredModels.TIED, parameters -> {})));
  }
}
