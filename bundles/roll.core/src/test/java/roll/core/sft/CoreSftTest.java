package roll.core.sft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.model.TokenizerLoader;
import roll.core.check.ByteTokenizer;
import roll.core.plugin.ModelSupport;

/** Distributions that lack what a warm start reads with. */
class CoreSftTest {
  private static String refusal(@Nullable TokenizerLoader tokenizers) {
    // nothing else is looked at before
    CoreSft sft =
        new CoreSft(null, null, null, null, null, new ModelSupport(tokenizers, null, null));
    return userError(() -> sft.start(Path.of("warm.yaml"), List.of()));
  }

  @Test
  void theMissingBundleIsNamed() {
    assertEquals(
        "sft: this distribution lacks the bundle roll.dataset, which reads demonstrations",
        refusal(folder -> new ByteTokenizer()));
    assertEquals(
        "sft: this distribution lacks the bundle roll.torch, which reads models (an agent can play:"
            + " rollout --agent random)",
        refusal(null));
  }
}
