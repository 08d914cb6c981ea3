package roll.rollout.action;

import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.env.Step;

/** Executes the policy's responses: as actions in the environment, or as tool calls. */
public interface ActionHandler extends AutoCloseable {
  /**
   * Returns the number of characters of a response, without special tokens, to keep; see {@code
   * AgentType}.
   */
  default int kept(String text) {
    return text.length();
  }

  /**
   * Executes a response of the policy.
   *
   * @param response as the environment reads it, with special tokens if it requests them
   * @param text without special tokens, with the opening think tag if the prompt ends with it
   */
  Step step(String response, String text) throws InterruptedException;

  /**
   * Returns the text that the environment received for the last response; null if that was the
   * response itself, or if the environment was not stepped.
   */
  default @Nullable String read() {
    return null;
  }

  /** Returns the tool results of the last response; empty if it was an action. */
  List<Message> results();

  /** Returns the finish reason after {@code last}. */
  String finish(Step last);

  /** Returns the finish reason at the maximum number of turns. */
  String outOfTurns();

  /** Returns the finish reason when the sequence is full. */
  String outOfTokens();

  @Override
  void close();
}
