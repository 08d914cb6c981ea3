package roll.rollout.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.Gson;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sub-agents and summaries of coding agents, which become samples of their own. */
@NullMarked
@Timeout(120)
class HarnessHistoriesTest {
  private static final Map<String, Object> HI = ChatKit.assistant("hi");

  private static Map<String, Object> system(String text) {
    return Map.of("role", "system", "content", text);
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  private static void ask(EndpointKit kit, Map<String, Object>... messages) {
    String body = new Gson().toJson(Map.of("messages", List.of(messages)));
    assertEquals("hi", EndpointKit.said(kit.ask(kit.key(), body).body()));
  }

  private static List<List<String>> trained(EndpointKit kit) {
    return BranchSamples.of(BranchSamples.ends(kit.session().history().completions())).stream()
        .map(ChatKit::trained)
        .toList();
  }

  @Test
  void aSubAgentHasASampleOfItsOwn() throws Exception {
    try (EndpointKit kit = new EndpointKit()) {
      kit.playing(
          () -> {
            ask(kit, system("main"), ChatKit.user("1"));
            ask(kit, system("sub"), ChatKit.user("do"));
            ask(kit, system("sub"), ChatKit.user("do"), HI, ChatKit.user("more"));
            ask(kit, system("main"), ChatKit.user("1"), HI, ChatKit.user("sub said hi"));
            return true;
          });
      assertEquals(
          List.of(
              List.of("1:hi<|im_end|>", "2:hi<|im_end|>"),
              List.of("0:hi<|im_end|>", "3:hi<|im_end|>")),
          trained(kit));
    }
  }

  /** The summary is asked for in the old conversation and begins the new one. */
  @Test
  void aSummaryBeginsASampleOfItsOwn() throws Exception {
    try (EndpointKit kit = new EndpointKit()) {
      kit.playing(
          () -> {
            ask(kit, system("s"), ChatKit.user("1"));
            ask(kit, system("s"), ChatKit.user("1"), HI, ChatKit.user("2"));
            ask(
                kit,
                system("s"),
                ChatKit.user("1"),
                HI,
                ChatKit.user("2"),
                HI,
                ChatKit.user("sum up"));
            ask(kit, system("s"), ChatKit.user("summary: hi"), ChatKit.user("3"));
            ask(
                kit,
                system("s"),
                ChatKit.user("summary: hi"),
                ChatKit.user("3"),
                HI,
                ChatKit.user("4"));
            return true;
          });
      assertEquals(
          List.of(
              List.of("0:hi<|im_end|>", "1:hi<|im_end|>", "2:hi<|im_end|>"),
              List.of("3:hi<|im_end|>", "4:hi<|im_end|>")),
          trained(kit));
    }
  }
}
