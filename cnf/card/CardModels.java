import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Model folders with the tokenizer of another and without weights, which are random. */
class CardModels {
  private static final String CONFIG =
      """
      {"model_type": "%s", "hidden_size": %d, "num_hidden_layers": %d, "num_attention_heads": %d,
       "num_key_value_heads": 2, "intermediate_size": %d, "vocab_size": %d, %s
       "max_position_embeddings": 32768, "rms_norm_eps": 1e-06, "rope_theta": 1000000.0, "hidden_act": "silu",
       "initializer_range": 0.02, "tie_word_embeddings": true, "eos_token_id": 2}
      """;

  private CardModels() {}

  /** Writes the shape of Qwen2.5-0.5B, or with {@code small} of a model of 0.1 M weights. */
  static Path halfBillion(CardSetup setup, boolean small) throws IOException {
    return write(
        setup,
        "half_billion",
        "arithmetic-tiny",
        small
            ? CONFIG.formatted("qwen2", 64, 2, 4, 128, 256, "")
            : CONFIG.formatted("qwen2", 896, 24, 14, 4864, 151_936, ""));
  }

  /** Writes a small Qwen3-MoE for the words of FrozenLake. */
  static Path experts(CardSetup setup) throws IOException {
    String more =
        """
        "head_dim": 32, "num_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 64,
         "norm_topk_prob": true, "decoder_sparse_step": 1,\
        """;
    return write(
        setup,
        "experts",
        "frozen-lake-tiny",
        CONFIG.formatted("qwen3_moe", 128, 2, 4, 256, 144, more));
  }

  private static Path write(CardSetup setup, String name, String like, String config)
      throws IOException {
    Path folder = setup.folder().resolve("models").resolve(name);
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("config.json"), config);
    for (String file : List.of("tokenizer.json", "tokenizer_config.json")) {
      Path copy = folder.resolve(file);
      Files.deleteIfExists(copy);
      Files.copy(setup.root().resolve("configs/models").resolve(like).resolve(file), copy);
    }
    return folder;
  }
}
