package roll.testkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A model folder, and a folder of adapters as written by PEFT 0.19. */
public final class PeftFiles {
  private static final String MODEL =
      """
      {"model_type": "llama", "vocab_size": 12, "hidden_size": 8, "intermediate_size": 10,
       "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1}
      """;

  /** An adapter_config.json with all fields of PEFT 0.19 in its order. */
  public static final String FOREIGN =
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

  /** The header of adapter_model.safetensors. */
  public static final String HEADER =
      """
      {"__metadata__":{"format":"pt"},\
      "base_model.model.model.layers.1.self_attn.v_proj.lora_A.weight":\
      {"dtype":"F32","shape":[2,8],"data_offsets":[0,64]},\
      "base_model.model.model.layers.1.self_attn.v_proj.lora_B.weight":\
      {"dtype":"BF16","shape":[4,2],"data_offsets":[64,80]}}\
      """;

  private final Path base;
  private final Path adapters;

  /** Writes the base model's and the adapter's folder into {@code folder}. */
  public PeftFiles(Path folder) throws IOException {
    base = Files.createDirectories(folder.resolve("base"));
    Files.writeString(base.resolve("config.json"), MODEL);
    Files.writeString(base.resolve("tokenizer.json"), "{}");
    adapters = Files.createDirectories(folder.resolve("adapters"));
    Files.writeString(adapters.resolve("adapter_config.json"), FOREIGN);
    writeTensors(HEADER);
  }

  /** Writes adapter_model.safetensors with A = 0, 1, … 15 and B = 1, −1, 1, … */
  public void writeTensors(String header) throws IOException {
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

  /** Returns the folder of the model, of type {@code llama}. */
  public Path base() {
    return base;
  }

  /** Returns the folder of the adapters. */
  public Path adapters() {
    return adapters;
  }
}
