package roll.torch.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.decoder.ConfigReader;
import roll.decoder.DecoderParameters;
import roll.decoder.DecoderReader;
import roll.huggingface.ModelFolder;
import roll.huggingface.Safetensors;
import roll.testkit.PeftFiles;
import roll.torch.AdaptedParameters;
import roll.torch.Device;
import roll.torch.Devices;

/** Adapters as PEFT 0.19 writes them are read, ours are written so. */
final class PeftAdaptersTest {
  @AutoClose private final Device device = Device.cpu(1);

  private final Path folder;
  private final PeftFiles peft;

  PeftAdaptersTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    this.peft = new PeftFiles(folder);
  }

  @Test
  void readsWhatPeftWrites() {
    ModelFolder model = open(peft.adapters());
    String module = "model.layers.1.self_attn.v_proj";
    assertEquals(new Adapter(2, 8, false, 0.05, Set.of(module)), model.spec().adapter());
    assertEquals(peft.base().toAbsolutePath(), model.path().toAbsolutePath().normalize());
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
    DecoderSpec model = open(peft.base()).spec();
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
              try (Parameters parameters =
                  AdaptedParameters.random(device, model.with(adapter), 3)) {
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
              try (Parameters parameters = AdaptedParameters.random(device, again.spec(), 4)) {
                PeftAdapters.read(Objects.requireNonNull(again.adapters()), parameters);
                return parameters.trained().tensors().get(1).toFloatArray();
              }
            });
    assertArrayEquals(trained, read);
  }

  private static ModelFolder open(Path path) {
    return ModelFolder.open(
        path,
        Map.of(
            "llama",
            (where, config) -> DecoderReader.read(new ConfigReader(where, config), 64, Set.of())));
  }

  private static float[] floats(Parameters parameters, int index) {
    return parameters.memory(index).toArray(ValueLayout.JAVA_FLOAT);
  }
}
