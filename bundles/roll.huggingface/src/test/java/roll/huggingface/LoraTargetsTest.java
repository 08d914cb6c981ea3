package roll.huggingface;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.LoraConfig;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.option.UserException;
import roll.decoder.DecoderParameters;
import roll.testkit.SmallDecoder;

/** Tests the resolution of lora_target. */
final class LoraTargetsTest {
  private static final DecoderSpec SPEC = SmallDecoder.decoder(11, 16, 24, 2, 4, 2, Set.of());

  private static Adapter adapter(String... targets) {
    return LoraTargets.of(
        SPEC, "actor_train.model_args.lora_target", new LoraConfig(8, 16, 0.1, List.of(targets)));
  }

  @ParameterizedTest
  @CsvSource({
    "q_proj, 0.self_attn.q_proj 1.self_attn.q_proj",
    "self_attn.k_proj, 0.self_attn.k_proj 1.self_attn.k_proj",
    "model.layers.1.mlp.up_proj, 1.mlp.up_proj",
    "1.mlp.up_proj, 1.mlp.up_proj",
    "'.*\\.mlp\\.(up|down)_proj', 0.mlp.down_proj 0.mlp.up_proj 1.mlp.down_proj 1.mlp.up_proj",
    "'.*0.*v_proj$', 0.self_attn.v_proj"
  })
  void names(String target, String expected) {
    Set<String> modules = new TreeSet<>();
    adapter(target).modules().forEach(m -> modules.add(m.replaceFirst("^model.layers.", "")));
    assertEquals(expected, String.join(" ", modules));
  }

  @ParameterizedTest
  @CsvSource({"all-linear", "ALL-LINEAR", "all"})
  void allLinearMeansEveryProjection(String target) {
    assertEquals(Set.copyOf(DecoderParameters.projections(SPEC)), adapter(target).modules());
    assertEquals(14, adapter(target).modules().size());
  }

  /** A checkpoint may bring it. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aPatternThatTakesAgesMeansNothing() {
    assertThrows(UserException.class, () -> adapter("(([a-z._0-9]+)+)+!"));
  }

  @Test
  void severalTargetsAddUp() {
    Adapter adapter = adapter("q_proj", ".*1.*q_proj$", "model.layers.0.mlp.up_proj");
    assertEquals(3, adapter.modules().size());
    assertEquals(new Adapter(8, 16, false, 0.1, adapter.modules()), adapter);
  }

  @Test
  void refusesWhatMeansNothing() {
    String near = userError(() -> adapter("q_proj", "k_poj"));
    assertEquals(
        "actor_train.model_args.lora_target: 'k_poj' selects no projection of the model"
            + " (all-linear, q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj); did"
            + " you mean 'k_proj'?",
        near);
    for (String wrong : List.of("lm_head", "embed_tokens", "proj", "q_proj.", ".*lm_head", "")) {
      String refused = userError(() -> adapter(wrong));
      assertTrue(refused.contains(": '" + wrong + "' selects no projection of the model"), refused);
    }
    assertEquals(
        "actor_train.model_args.lora_target: '(q_proj' is not a regular expression: Unclosed group",
        userError(() -> adapter("(q_proj")));
  }
}
