package roll.rollout.setup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import roll.api.config.EnvConfig;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.model.Tokenizer;
import roll.rollout.CharTokenizer;
import roll.rollout.CountingGame;
import roll.rollout.Games;
import roll.rollout.chat.NamedChatFormats;
import roll.template.FolderChatTemplates;

/** Caching of filtered environments. */
@NullMarked
class PromptLengthFilterTest {
  private final PromptLengthFilter filter = new PromptLengthFilter();
  private final NamedChatFormats formats = new NamedChatFormats(new FolderChatTemplates());
  private final EnvConfig config = Games.game("A", Map.of());
  private final Environment game = new CountingGame();
  private final AtomicInteger looks = new AtomicInteger();

  /** A world of which some episodes are left out. */
  private final class Filtered implements Scenario {
    @Override
    public String instruction() {
      return "";
    }

    @Override
    public Episode reset(long seed) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Scenario fitting(ToIntFunction<String> tokens, int most) {
      looks.addAndGet(tokens.applyAsInt("a question") > 0 ? 1 : 0);
      return new Filtered();
    }
  }

  private Scenario fit(Environment environment, Scenario whole, Tokenizer tokenizer) {
    PromptLengthFilter.Measure measure =
        new PromptLengthFilter.Measure(
            formats.find("qwen2_5", tokenizer, Map.of()), tokenizer, "qwen2_5", Map.of(), 400);
    return filter.fit(environment, config, whole, null, measure);
  }

  @Test
  void looksAtAllPromptsOnceForATokenizerAndAnEnvironment() {
    Filtered whole = new Filtered();
    CharTokenizer tokenizer = CharTokenizer.chatMl();
    Scenario fitted = fit(game, whole, tokenizer);
    assertNotSame(whole, fitted);
    assertSame(fitted, fit(game, whole, tokenizer));
    assertEquals(1, looks.get());
    assertNotSame(fitted, fit(new CountingGame(), whole, tokenizer));
    assertNotSame(fitted, fit(game, whole, CharTokenizer.chatMl()));
    assertEquals(3, looks.get());
  }

  @Test
  void keepsNoTokenizerOfAnEndedRun() throws InterruptedException {
    ReferenceQueue<Tokenizer> collected = new ReferenceQueue<>();
    WeakReference<Tokenizer> ended = ended(collected);
    Reference<? extends Tokenizer> found = null;
    for (int i = 0; found == null && i < 100; i++) {
      System.gc();
      found = collected.remove(100);
    }
    assertNotNull(found, "the tokenizer is held after 100 collections");
    assertSame(ended, found);
    assertEquals(1, looks.get());
  }

  private WeakReference<Tokenizer> ended(ReferenceQueue<Tokenizer> collected) {
    CharTokenizer tokenizer = CharTokenizer.chatMl();
    fit(game, new Filtered(), tokenizer);
    return new WeakReference<>(tokenizer, collected);
  }
}
