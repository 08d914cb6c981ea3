package roll.torch.huggingface;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.model.family.ModelFamily;
import roll.api.option.UserException;
import roll.decoder.ConfigReader;
import roll.decoder.DecoderParameters;
import roll.decoder.DecoderReader;
import roll.torch.Device;
import roll.torch.Devices;
import roll.torch.Shapes;
import roll.torch.model.Models;
import roll.torch.model.Parameters;
import roll.torch.model.PeftAdapters;

/** Folders of adapters: one as PEFT 0.19 writes it, ours, and broken ones. */
final class PeftFolderTest {
  private static final String MODEL =
      """
      {"model_type": "llama", "vocab_size": 12, "hidden_size": 8, "intermediate_size": 10,
       "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1}
      """;

  private static final ModelFamily FAMILY =
      (where, config) -> DecoderReader.read(new ConfigReader(where, config), 64, Set.of());

  /** All fields of PEFT 0.19, as it sorts them. */
  private static final String FOREIGN =
      """
      {
        "alora_invocation_tokens": null,
        "alpha_pattern": {},
        "arrow_config": null,
        "auto_mapping": null,
        "base_model_name_or_path": "../base",
        "bias": "none",
        "corda_config": null,
        "ensure_weight_tying": false,
        "eva_config": null,
        "exclude_modules": null,
        "fan_in_fan_out": false,
        "inference_mode": true,
        "init_lora_weights": true,
        "layer_replication": null,
        "layers_pattern": null,
        "layers_to_transform": [1],
        "loftq_config": {},
        "lora_alpha": 8,
        "lora_bias": false,
        "lora_dropout": 0.05,
        "megatron_config": null,
        "megatron_core": "megatron.core",
        "modules_to_save": null,
        "peft_type": "LORA",
        "peft_version": "0.19.1",
        "qalora_group_size": 16,
        "r": 2,
        "rank_pattern": {},
        "revision": null,
        "target_modules": [
          "v_proj"
        ],
        "target_parameters": null,
        "task_type": "CAUSAL_LM",
        "trainable_token_indices": null,
        "use_dora": false,
        "use_qalora": false,
        "use_rslora": false
      }\
      """;

  private static final String HEADER =
      """
      {"__metadata__":{"format":"pt"},\
      "base_model.model.model.layers.1.self_attn.v_proj.lora_A.weight":\
      {"dtype":"F32","shape":[2,8],"data_offsets":[0,64]},\
      "base_model.model.model.layers.1.self_attn.v_proj.lora_B.weight":\
      {"dtype":"BF16","shape":[4,2],"data_offsets":[64,80]}}\
      """;

  private final Device device = Device.cpu(1);
  private final Path folder;
  private final Path base;
  private final Path adapters;

  PeftFolderTest(@TempDir Path folder) {
    this.folder = folder;
    this.base = folder.resolve("base");
    this.adapters = folder.resolve("adapters");
  }

  @BeforeEach
  void write() throws IOException {
    Files.createDirectories(base);
    Files.writeString(base.resolve("config.json"), MODEL);
    Files.writeString(base.resolve("tokenizer.json"), "{}");
    Files.createDirectories(adapters);
    Files.writeString(adapters.resolve("adapter_config.json"), FOREIGN);
    writeTensors(HEADER);
  }

  @AfterEach
  void close() {
    device.close();
  }

  /** A: 0, 1, … 15; B: 1, −1, 1, … */
  private void writeTensors(String header) throws IOException {
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes =
        ByteBuffer.allocate(Long.BYTES + text.length + 80).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(text.length).put(text);
    for (int i = 0; i < 16; i++) {
      bytes.putFloat(i);
    }
    for (int i = 0; i < 8; i++) {
      bytes.putShort((short) (i % 2 == 0 ? 0x3F80 : 0xBF80));
    }
    Files.write(adapters.resolve("adapter_model.safetensors"), bytes.array());
  }

  private ModelFolder open(Path path) {
    return ModelFolder.open(path, Map.of("llama", FAMILY));
  }

  @Test
  void readsWhatPeftWrites() {
    ModelFolder model = open(adapters);
    String module = "model.layers.1.self_attn.v_proj";
    assertEquals(new Adapter(2, 8, false, 0.05, Set.of(module)), model.spec().adapter());
    assertEquals(base.toAbsolutePath(), model.path().toAbsolutePath().normalize());
    device.call(
        () -> {
          Models models = new Models(Devices.on(device), path -> null);
          try (Parameters parameters = models.read(device, model, 1)) {
            List<String> names =
                DecoderParameters.of(model.spec()).stream()
                    .map(DecoderSpec.Parameter::name)
                    .toList();
            float[] a = floats(parameters, names.indexOf(module + Adapter.A));
            for (int i = 0; i < 16; i++) {
              assertEquals(i, a[i]);
            }
            assertArrayEquals(
                new float[] {1, -1, 1, -1, 1, -1, 1, -1},
                floats(parameters, names.indexOf(module + Adapter.B)));
            assertEquals(
                List.of(module + Adapter.A, module + Adapter.B), parameters.trained().names());
          }
          return null;
        });
  }

  @Test
  void writesWhatPeftReads() throws IOException {
    DecoderSpec model = open(base).spec();
    Path written = Files.createDirectory(folder.resolve("written"));
    Set<String> modules =
        Set.of(
            "model.layers.0.self_attn.q_proj",
            "model.layers.1.self_attn.q_proj",
            "model.layers.1.mlp.up_proj");
    Adapter adapter = new Adapter(3, 6, false, 0.1, modules);
    float[] trained =
        device.call(
            () -> {
              try (Parameters parameters = Shapes.adapted(device, model.with(adapter), 3)) {
                PeftAdapters.write(written, parameters, "../base");
                return parameters.trained().tensors().get(1).toFloatArray();
              }
            });
    assertEquals(
        """
        {
          "alpha_pattern": {},
          "auto_mapping": null,
          "base_model_name_or_path": "../base",
          "bias": "none",
          "fan_in_fan_out": false,
          "inference_mode": true,
          "init_lora_weights": true,
          "layer_replication": null,
          "layers_pattern": null,
          "layers_to_transform": null,
          "loftq_config": {},
          "lora_alpha": 6,
          "lora_dropout": 0.1,
          "megatron_config": null,
          "megatron_core": "megatron.core",
          "modules_to_save": null,
          "peft_type": "LORA",
          "r": 3,
          "rank_pattern": {},
          "revision": null,
          "target_modules": [
            "q_proj",
            "model.layers.1.mlp.up_proj"
          ],
          "task_type": "CAUSAL_LM",
          "use_dora": false,
          "use_rslora": false
        }
        """,
        Files.readString(written.resolve("adapter_config.json")));
    try (Safetensors files = Safetensors.open(written.resolve("adapter_model.safetensors"))) {
      assertEquals(
          Set.of(
              "base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight",
              "base_model.model.model.layers.0.self_attn.q_proj.lora_B.weight",
              "base_model.model.model.layers.1.mlp.up_proj.lora_A.weight",
              "base_model.model.model.layers.1.mlp.up_proj.lora_B.weight",
              "base_model.model.model.layers.1.self_attn.q_proj.lora_A.weight",
              "base_model.model.model.layers.1.self_attn.q_proj.lora_B.weight"),
          files.tensors().keySet());
    }
    ModelFolder again = open(written);
    assertEquals(adapter, again.spec().adapter());
    float[] read =
        device.call(
            () -> {
              try (Parameters parameters = Shapes.adapted(device, again.spec(), 4)) {
                PeftAdapters.read(Objects.requireNonNull(again.adapters()), parameters);
                return parameters.trained().tensors().get(1).toFloatArray();
              }
            });
    assertArrayEquals(trained, read);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "LORA"                      | "IA3"           | peft_type: IA3 is not supported (allowed: LORA)
          "use_dora": false           | "use_dora": true | use_dora: true is not supported (allowed: false)
          "bias": "none"              | "bias": "all"   | bias: all is not supported (allowed: none)
          "rank_pattern": {}          | "rank_pattern": {"q_proj": 4} | rank_pattern: {q_proj=4} is not supported
          "modules_to_save": null     | "modules_to_save": ["lm_head"] | modules_to_save: [lm_head] is not supported
          "init_lora_weights": true   | "init_lora_weights": "pissa" | init_lora_weights: pissa is not supported
          "r": 2                      | "r": 0          | r: expected a whole number from 1 up, found '0'
          "r": 2                      | "r": 3          | has shape [2, 8], the model needs [3, 8]
          "lora_dropout": 0.05        | "lora_dropout": 1.0 | lora_dropout: expected a number from 0 up, below 1
          "lora_alpha": 8             | "lora_alpha": "8" | lora_alpha: expected a number above 0, found '8'
          "../base"                   | "Qwen/Qwen2.5-7B" | 'Qwen/Qwen2.5-7B' is no model folder on this machine
          "../base"                   | "../adapters"   | '../adapters' is no model folder on this machine
          "../base"                   | null            | '' is no model folder on this machine
          """)
  void refusesAConfigThatAsksForMore(String good, String bad, String message) throws IOException {
    assertTrue(FOREIGN.contains(good));
    Files.writeString(adapters.resolve("adapter_config.json"), FOREIGN.replace(good, bad));
    refused(adapters, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          self_attn.v_proj            | self_attn.w_proj | no adapter of a projection of the model; did you mean 'model.layers.1.self_attn.q_proj'?
          model.layers.1.self_attn.v_proj | lm_head     | no adapter of a projection of the model
          base_model.model.           | base_model.      | no adapter of a projection of the model
          lora_A.weight               | lora_A.default.weight | no adapter of a projection of the model
          v_proj.lora_B               | q_proj.lora_B    | q_proj.lora_A.weight' is missing
          [2,8]                       | [1,16]           | has shape [1, 16], the model needs [2, 8]
          """)
  void refusesTensorsThatDoNotFit(String good, String bad, String message) throws IOException {
    assertTrue(HEADER.contains(good));
    writeTensors(HEADER.replace(good, bad));
    refused(adapters, message);
  }

  @Test
  void refusesWhatIsNotThere() throws IOException {
    refused(folder, "config.json: cannot be read");
    UserException none = assertThrows(UserException.class, () -> PeftFolder.open(base));
    assertEquals(base + ": holds no adapters (adapter_config.json is missing)", none.getMessage());
    Path tensors = adapters.resolve("adapter_model.safetensors");
    Files.move(tensors, adapters.resolve("adapter_model.bin"));
    refused(adapters, "adapter_model.bin: pickle files are not read");
    Files.delete(adapters.resolve("adapter_model.bin"));
    refused(adapters, "adapter_model.safetensors: is missing");
    UserException folder = assertThrows(UserException.class, () -> PeftFolder.open(tensors));
    assertEquals(tensors + ": no such adapter folder", folder.getMessage());
  }

  @Test
  void adaptersStandBesideOneModelOnly() {
    ModelFolder model = open(adapters);
    PeftFolder more = PeftFolder.open(adapters);
    UserException refused = assertThrows(UserException.class, () -> model.with(more));
    assertTrue(refused.getMessage().contains("cannot be put on top"), refused.getMessage());
  }

  private void refused(Path path, String message) {
    UserException refused = assertThrows(UserException.class, () -> open(path));
    assertTrue(refused.getMessage().contains(message), refused.getMessage());
    assertEquals(1, refused.getMessage().lines().count());
  }

  private static float[] floats(Parameters parameters, int index) {
    return parameters.memory(index).toArray(ValueLayout.JAVA_FLOAT);
  }
}
