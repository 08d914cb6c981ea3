package roll.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import roll.api.config.UserException;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.ModelFacts;
import roll.api.model.Rope;

class ModelCommandTest {
  /** Qwen2.5-0.5B. */
  private static final DecoderSpec SPEC =
      new DecoderSpec(
          "qwen2",
          151_936,
          896,
          4864,
          24,
          new Attention(14, 2, 64),
          Rope.standard(1e6, 64),
          32_768,
          1e-6,
          Set.of(Trait.QUERY_KEY_VALUE_BIAS, Trait.TIED_HEAD),
          0.02);

  private static String run(String line, Map<String, Long> stored, long bytes) throws Exception {
    ModelFacts facts = new ModelFacts(SPEC, new TreeMap<>(stored), bytes);
    try (Gogo gogo = new Gogo(new ModelCommand(folder -> facts), "model")) {
      return gogo.run(line);
    }
  }

  @Test
  void showsShapesAndMemory() throws Exception {
    assertEquals(
        """
        family      qwen2
        parameters  494,032,768
        weights     bfloat16, 942.33 MiB
        layers      24 of width 896, feed-forward 4,864
        heads       14 of width 64, 2 for keys and values
        traits      query key value bias, tied head
        vocabulary  151,936
        context     32,768

        memory                      fp32       bf16
        inference                   1.84 GiB   942.29 MiB
          and a token in the cache  24.00 KiB  12.00 KiB
        full training               7.36 GiB   8.28 GiB
        LoRA of rank 8              1.91 GiB   1009.42 MiB

        Training holds activations beside this.\
        """,
        run("model show m", Map.of("BF16", 494_032_768L), 988_100_000));
  }

  @Test
  void jsonIsOneLine() throws Exception {
    assertEquals(
        "{\"family\":\"qwen2\",\"parameters\":494032768,\"dtype\":\"float32\","
            + "\"file_bytes\":1976131072,\"num_hidden_layers\":24,\"hidden_size\":896,"
            + "\"intermediate_size\":4864,\"num_attention_heads\":14,\"num_key_value_heads\":2,"
            + "\"head_dim\":64,\"vocab_size\":151936,\"max_position_embeddings\":32768,"
            + "\"tie_word_embeddings\":true,\"memory\":{"
            + "\"inference\":{\"fp32\":1976131072,\"bf16\":988065536},"
            + "\"cached_token\":{\"fp32\":24576,\"bf16\":12288},"
            + "\"training\":{\"fp32\":7904524288,\"bf16\":8892589824},"
            + "\"lora\":{\"fp32\":2046516736,\"bf16\":1058451200,\"rank\":8,"
            + "\"parameters\":4399104}}}",
        run("model show m --json", Map.of("F32", 494_032_768L), 1_976_131_072L));
  }

  @Test
  void mixedAndAbsentWeightsAreNamed() throws Exception {
    assertEquals(
        "weights     10 bfloat16 and 494,032,758 float32, 1.00 KiB",
        run("model show m", Map.of("BF16", 10L, "F32", 494_032_758L), 1024)
            .lines()
            .toList()
            .get(2));
    assertEquals(
        "weights     no files: they start random",
        run("model show m", Map.of(), 0).lines().toList().get(2));
  }

  @Test
  void mistakesAreOneLine() {
    assertEquals(
        "model: expected show, found 'list'; usage: model <show> <folder> [--lora-rank <r>]"
            + " [--json]",
        mistake("model list m"));
    assertEquals(
        "model: <folder> is missing; usage: model <show> <folder> [--lora-rank <r>] [--json]",
        mistake("model show"));
  }

  private static String mistake(String line) {
    return assertThrows(UserException.class, () -> run(line, Map.of(), 0)).getMessage();
  }
}
