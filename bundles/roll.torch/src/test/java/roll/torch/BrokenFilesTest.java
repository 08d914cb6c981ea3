package roll.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.data.RandomStreams;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Parameter;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.family.ModelFamily;
import roll.api.option.UserException;
import roll.decoder.ConfigReader;
import roll.decoder.DecoderParameters;
import roll.decoder.DecoderReader;
import roll.huggingface.ModelFolder;
import roll.huggingface.Safetensors;
import roll.huggingface.SafetensorsIndex;
import roll.huggingface.SafetensorsWriter;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;
import roll.torch.model.WeightReader;

/** Files with random bytes changed, removed or duplicated yield a model or a one-line refusal. */
@Tag("hostile")
final class BrokenFilesTest {
  private static final int ATTEMPTS = 1500;

  private static final String CONFIG =
      """
      {"model_type": "llama", "vocab_size": 12, "hidden_size": 8, "intermediate_size": 10,
       "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 1,
       "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
         "high_freq_factor": 4.0, "original_max_position_embeddings": 100},
       "layer_types": ["full_attention"], "tie_word_embeddings": true}
      """;

  private static final ModelFamily FAMILY =
      (where, config) -> DecoderReader.read(new ConfigReader(where, config), 64, Set.<Trait>of());

  private final Path folder;
  private int models;

  BrokenFilesTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @BeforeEach
  void write() throws IOException {
    Files.writeString(folder.resolve("config.json"), CONFIG);
    Files.writeString(folder.resolve("tokenizer.json"), "{}");
    save(5_000_000_000L);
  }

  private void save(long shardBytes) throws IOException {
    List<StoredTensor> tensors = new ArrayList<>();
    for (Parameter parameter : DecoderParameters.of(spec())) {
      byte[] zeros = new byte[(int) parameter.size() * Float.BYTES];
      List<Long> shape = parameter.shape().stream().map(Integer::longValue).toList();
      tensors.add(
          new StoredTensor(
              parameter.name(), TensorFormat.F32, shape, MemorySegment.ofArray(zeros)));
    }
    SafetensorsWriter.writeModel(folder, tensors, TensorFormat.BF16, shardBytes);
  }

  private DecoderSpec spec() {
    return ModelFolder.open(folder, Map.of("llama", FAMILY)).spec();
  }

  /** Reads a folder as every session does: specification, then all weights. */
  private void load() {
    DecoderSpec spec = spec();
    try (Safetensors files = Safetensors.open(folder)) {
      for (Optional<StoredTensor> found : WeightReader.find(spec, files)) {
        StoredTensor tensor = found.orElseThrow();
        tensor.readFloats(0, MemorySegment.ofArray(new float[(int) tensor.size()]));
      }
    }
  }

  private static byte[] broken(byte[] bytes, RandomGenerator random) {
    byte[] broken = bytes.clone();
    int at = random.nextInt(Math.min(bytes.length, 2000));
    switch (random.nextInt(5)) {
      case 0 -> broken[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> broken[at] = (byte) random.nextInt(256);
      case 2 -> broken[at] = (byte) "0123456789{}[],:\"\\ntu-.eE".charAt(random.nextInt(25));
      case 3 -> broken = Arrays.copyOf(bytes, random.nextInt(bytes.length));
      default -> {
        int end = Math.min(bytes.length, at + random.nextInt(40));
        broken = new byte[bytes.length + end - at];
        System.arraycopy(bytes, 0, broken, 0, end);
        System.arraycopy(bytes, at, broken, end, bytes.length - at);
      }
    }
    return broken;
  }

  private void assertSurvives(Path file) throws IOException {
    byte[] whole = Files.readAllBytes(file);
    load();
    for (int i = 0; i < ATTEMPTS; i++) {
      byte[] broken = broken(whole, RandomStreams.of(11, file.getFileName().toString(), i));
      Files.write(file, broken);
      try {
        load();
        models++;
      } catch (UserException line) {
        assertEquals(1, line.getMessage().lines().count(), line.getMessage());
        assertTrue(line.getMessage().startsWith(folder.toString()), line.getMessage());
      } catch (RuntimeException | Error crash) {
        throw new AssertionError(new String(broken, StandardCharsets.ISO_8859_1), crash);
      }
    }
    // a changed weight or a doubled blank is no error, most changes are one
    assertTrue(models > 0 && models < ATTEMPTS * 3 / 4, models + " models");
  }

  @Test
  void weights() throws IOException {
    assertSurvives(folder.resolve("model.safetensors"));
  }

  @Test
  void aShard() throws IOException {
    save(300);
    String shard =
        SafetensorsIndex.read(folder.resolve(Safetensors.INDEX)).get("model.norm.weight");
    assertSurvives(folder.resolve(shard));
  }

  @Test
  void anIndex() throws IOException {
    save(300);
    assertSurvives(folder.resolve("model.safetensors.index.json"));
  }

  @Test
  void aConfig() throws IOException {
    assertSurvives(folder.resolve("config.json"));
  }

  /** Reading one of these would wait, or never end. */
  @Test
  @Timeout(60)
  void pipesAndDevicesAmongTheFilesAreRefused() throws IOException, InterruptedException {
    Path weights = folder.resolve("model.safetensors");
    Files.delete(weights);
    Files.createSymbolicLink(weights, Path.of("/dev/zero"));
    String device = ": is a named pipe or a device, expected a file";
    assertEquals(weights + device, userError(() -> Safetensors.open(folder).close()));
    Path config = folder.resolve("config.json");
    Files.delete(config);
    assertEquals(0, new ProcessBuilder("mkfifo", config.toString()).start().waitFor());
    Map<String, ModelFamily> families = Map.of("llama", FAMILY);
    assertEquals(config + device, userError(() -> ModelFolder.open(folder, families)));
  }
}
