package roll.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.osgi.framework.Bundle;
import org.osgi.util.tracker.ServiceTracker;
import roll.api.data.Message;
import roll.api.model.ChatTemplates;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.api.option.UserException;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.ChatFormats;

/** The model folder's chat template and the native tokenizers work inside the framework. */
@Tag("framework")
@Timeout(60)
class ChatTest {
  private static final Path MODEL =
      Path.of(System.getProperty("roll.root"), "configs/models/frozen-lake-tiny");
  private static final List<Message> OPENING = List.of(new Message("user", "at 3 4"));

  private final List<ServiceTracker<?, ?>> held = new ArrayList<>();

  @AfterEach
  void letGo() {
    held.forEach(ServiceTracker::close);
  }

  @Test
  void theFoldersTemplateGivesTheTokensOfItsFormat() throws InterruptedException {
    try (Tokenizer tokenizer = service(TokenizerLoader.class).load(MODEL)) {
      ChatFormats formats = service(ChatFormats.class);
      ChatFormat own = formats.find("native", tokenizer, Map.of());
      ChatFormat chatMl = formats.find("qwen2_5", tokenizer, Map.of());
      int[] response = tokenizer.encode("3<|im_end|>");
      assertArrayEquals(chatMl.opening(OPENING), own.opening(OPENING));
      assertArrayEquals(chatMl.between(response, OPENING), own.between(response, OPENING));
      assertEquals(chatMl.stops(), own.stops());
    }
  }

  @Test
  void withoutTheBundleOnlyItsFormatIsMissing() throws Exception {
    Bundle bundle =
        Plugins.bundles()
            .filter(b -> b.getSymbolicName().equals("roll.template"))
            .findFirst()
            .orElseThrow();
    ChatFormats formats = service(ChatFormats.class);
    try (Tokenizer tokenizer = service(TokenizerLoader.class).load(MODEL)) {
      bundle.stop();
      try {
        assertEquals(
            "'native' needs the bundle roll.template, which is not active",
            assertThrows(UserException.class, () -> formats.find("native", tokenizer, Map.of()))
                .getMessage());
        assertNotNull(formats.find("qwen2_5", tokenizer, Map.of()));
      } finally {
        bundle.start();
      }
      service(ChatTemplates.class);
      assertTrue(formats.find("native", tokenizer, Map.of()).opening(OPENING).length > 0);
    }
  }

  /** Returns a service, held until the end of the test, since SCR deactivates unused services. */
  private <T> T service(Class<T> type) throws InterruptedException {
    var tracker = new ServiceTracker<T, T>(Plugins.context(), type, null);
    tracker.open();
    held.add(tracker);
    return tracker.waitForService(10_000);
  }
}
