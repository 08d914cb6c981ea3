import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The model folder of the race: a Qwen2 with a tokenizer of one token per word. */
record RaceModel(int width, int layers, int heads, int inner, int vocabulary) {
  private static final List<String> SPECIAL =
      List.of("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<unk>");
  private static final String CELLS = "P_OG";

  /** The chat template: tool calls are there because TRL refuses a template without them. */
  private static final String TEMPLATE =
      """
      {% for m in messages %}<|im_start|>{{ m['role'] }} {{ m['content'] }}\
      {% for c in (m['tool_calls'] or []) %} {{ c['function'] }}{% endfor %}<|im_end|> \
      {% endfor %}{% if add_generation_prompt %}<|im_start|>assistant {% endif %}\
      """;

  /** Returns a model of 110 M weights with 32,000 words, or a small one. */
  static RaceModel of(boolean quick, int vocabulary) {
    return quick
        ? new RaceModel(64, 2, 4, 128, 1000)
        : new RaceModel(768, 12, 12, 2048, vocabulary);
  }

  /** Writes all but the weights to {@code folder}. */
  void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("config.json"), config());
    Files.writeString(folder.resolve("tokenizer.json"), tokenizer());
    Files.writeString(
        folder.resolve("tokenizer_config.json"),
        """
        {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<|im_end|>", "unk_token": "<unk>",
         "pad_token": "<|endoftext|>", "clean_up_tokenization_spaces": false, "chat_template": "%s"}
        """
            .formatted(TEMPLATE));
  }

  private String config() {
    return """
    {"architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2", "hidden_size": %d, "num_hidden_layers": %d,
     "num_attention_heads": %d, "num_key_value_heads": %d, "intermediate_size": %d, "vocab_size": %d,
     "max_position_embeddings": 4096, "rms_norm_eps": 1e-06, "rope_theta": 1000000.0, "hidden_act": "silu",
     "initializer_range": 0.02, "attention_dropout": 0.0, "tie_word_embeddings": true, "use_cache": true,
     "bos_token_id": 0, "eos_token_id": 2, "use_sliding_window": false, "torch_dtype": "float32"}
    """
        .formatted(width, layers, heads, heads, inner, vocabulary);
  }

  private String tokenizer() {
    String special =
        IntStream.range(0, SPECIAL.size())
            .mapToObj(RaceModel::added)
            .collect(Collectors.joining(",\n"));
    List<String> words = words();
    String numbered =
        IntStream.range(0, words.size())
            .mapToObj(i -> "\"%s\": %d".formatted(words.get(i), i))
            .collect(Collectors.joining(", "));
    return """
    {"version": "1.0", "truncation": null, "padding": null, "normalizer": null, "post_processor": null,
     "decoder": null, "pre_tokenizer": {"type": "WhitespaceSplit"}, "added_tokens": [%s],
     "model": {"type": "WordLevel", "unk_token": "<unk>", "vocab": {%s}}}
    """
        .formatted(special, numbered);
  }

  private static String added(int id) {
    return """
    {"id": %d, "content": "%s", "single_word": false, "lstrip": false, "rstrip": false,
     "normalized": false, "special": true}\
    """
        .formatted(id, SPECIAL.get(id));
  }

  /** Returns the words: marks, roles, the rows of a lake, and numbered ones. */
  private List<String> words() {
    List<String> words = new ArrayList<>(SPECIAL);
    words.addAll(List.of("system", "user", "assistant", "tool"));
    for (int i = 0; i < 256; i++) {
      int row = i;
      words.add(
          IntStream.of(6, 4, 2, 0)
              .mapToObj(bits -> CELLS.substring(row >> bits & 3, (row >> bits & 3) + 1))
              .collect(Collectors.joining()));
    }
    for (int i = 0; words.size() < vocabulary; i++) {
      words.add("w" + i);
    }
    return words;
  }
}
