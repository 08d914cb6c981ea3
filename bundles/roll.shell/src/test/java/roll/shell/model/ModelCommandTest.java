package roll.shell.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Attention;
import roll.api.model.DecoderSpec.Trait;
import roll.api.model.Rope;
import roll.api.option.UserException;
import roll.decoder.ModelFacts;
import roll.decoder.ModelMerger;
import roll.shell.Gogo;

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

  private static final long MACHINE = 3L << 29;

  private static String run(String line, Map<String, Long> stored, long bytes) throws Exception {
    return run(line, new ModelFacts(SPEC, new TreeMap<>(stored), bytes), new ArrayList<>());
  }

  private static String run(String line, ModelFacts facts, List<String> merged) throws Exception {
    ModelMerger merger =
        (adapters, base, target) -> merged.add(adapters + " " + base + " " + target);
    try (Gogo gogo = new Gogo(new ModelCommand(folder -> facts, merger, MACHINE), "model")) {
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
        features    query key value bias, tied head
        vocabulary  151,936
        context     32,768

        memory                          fp32       bf16
        inference                       1.84 GiB   942.29 MiB
          + each token in the KV cache  24.00 KiB  12.00 KiB
        full training                   7.36 GiB   8.28 GiB
        LoRA of rank 8                  1.91 GiB   1009.42 MiB

        Training also needs memory for activations.
        This machine has 1.50 GiB: inference fits in bf16 only.\
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
            + "\"machine\":1610612736,\"inference\":{\"fp32\":1976131072,\"bf16\":988065536},"
            + "\"cached_token\":{\"fp32\":24576,\"bf16\":12288},"
            + "\"training\":{\"fp32\":7904524288,\"bf16\":8892589824},"
            + "\"lora\":{\"fp32\":2046516736,\"bf16\":1058451200,\"rank\":8,"
            + "\"parameters\":4399104}}}",
        run("model show m --json", Map.of("F32", 494_032_768L), 1_976_131_072L));
  }

  /** A model as wide as Qwen2.5-0.5B, with experts of width 608, two for each token. */
  @Test
  void expertsAreCountedTwice() throws Exception {
    DecoderSpec spec =
        new DecoderSpec(
                "qwen3_moe",
                1000,
                896,
                608,
                24,
                new Attention(14, 2, 64),
                Rope.standard(1e6, 64),
                32_768,
                1e-6,
                Set.of(Trait.TIED_HEAD),
                0.02)
            .of(new DecoderSpec.Experts(8, 2, true));
    // embedding, last norm; q and o, k and v, norms, router
    long outside = 1000 * 896 + 896 + 24L * (2 * 896 * 896 + 2 * 128 * 896 + 2 * 896 + 8 * 896);
    long expert = 3L * 608 * 896;
    ModelFacts facts = new ModelFacts(spec, new TreeMap<>(), 0);
    List<String> shown = run("model show m", facts, new ArrayList<>()).lines().toList();
    assertEquals("parameters  %,d".formatted(outside + 24 * 8 * expert), shown.get(1));
    assertEquals(
        "active      %,d parameters per token: 2 of 8 experts".formatted(outside + 24 * 2 * expert),
        shown.get(2));
    assertEquals("layers      24 of width 896, feed-forward of each expert 608", shown.get(4));
    String json = run("model show m --json", facts, new ArrayList<>());
    assertTrue(
        json.contains(
            "\"active_parameters\":%d,\"moe_intermediate_size\":608,\"num_experts\":8,\"num_experts_per_tok\":2,"
                .formatted(outside + 24 * 2 * expert)),
        json);
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
        "weights     none: random initialization",
        run("model show m", Map.of(), 0).lines().toList().get(2));
  }

  /** A of 2 · 896 and B of 896 · 2. */
  @Test
  void adaptersStandBesideTheModel() throws Exception {
    Adapter adapter = new Adapter(2, 4, false, 0, Set.of("model.layers.3.self_attn.q_proj"));
    ModelFacts facts = new ModelFacts(SPEC.with(adapter), new TreeMap<>(), 0);
    List<String> shown = run("model show m", facts, new ArrayList<>()).lines().toList();
    assertEquals("parameters  494,032,768", shown.get(1));
    assertEquals("adapters    3,584 parameters: rank 2, alpha 4, on 1 projections", shown.get(3));
    assertTrue(
        run("model show m --json", facts, new ArrayList<>())
            .contains(
                "\"adapters\":{\"parameters\":3584,\"r\":2,\"lora_alpha\":4.0,"
                    + "\"modules\":[\"model.layers.3.self_attn.q_proj\"]}"));
  }

  @Test
  void mergesIntoANewFolder() throws Exception {
    ModelFacts facts = new ModelFacts(SPEC, new TreeMap<>(), 0);
    List<String> merged = new ArrayList<>();
    assertEquals("wrote c", run("model merge a c", facts, merged));
    assertEquals("wrote c", run("model merge a c --base b", facts, merged));
    assertEquals(List.of("a null c", "a b c"), merged);
  }

  @Test
  void mistakesAreOneLine() {
    String usage =
        "; usage: model <show|merge> <folder> [target] [--base <folder>] [--lora-rank <r>]"
            + " [--json]";
    assertEquals("model: expected show or merge, found 'list'" + usage, mistake("model list m"));
    assertEquals("model: <folder> is missing" + usage, mistake("model show"));
    assertEquals("model: merge needs a <target>" + usage, mistake("model merge a"));
    assertEquals("model: 'b' is one argument too many" + usage, mistake("model show a b"));
  }

  private static String mistake(String line) {
    return assertThrows(UserException.class, () -> run(line, Map.of(), 0)).getMessage();
  }
}
