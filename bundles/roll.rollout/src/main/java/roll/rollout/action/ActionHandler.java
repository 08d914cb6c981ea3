package roll.rollout.action;

import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.env.Step;

/** What the policy's responses do in an episode: to the world alone, or to tools first. */
public interface ActionHandler extends AutoCloseable {
  /** How many characters of a response without special tokens are kept, see {@code AgentType}. */
  default int kept(String text) {
    return text.length();
  }

  /**
   * Does what a response asks for.
   *
   * @param response as the world reads it, with special tokens where it asks for them
   * @param text without them, with the beginning of a thought that its prompt ends with
   */
  Step step(String response, String text) throws InterruptedException;

  /**
   * What the world read of the last response where that is not the response itself; null where it
   * is, or the world was not asked.
   */
  default @Nullable String read() {
    return null;
  }

  /** What tools answered to the last response; empty where the world did. */
  List<Message> results();

  /** Why the episode ended with {@code last}. */
  String finish(Step last);

  /** Why it ended after the most turns it may have. */
  String outOfTurns();

  /** Why it ended for want of tokens. */
  String outOfTokens();

  @Override
  void close();
}
