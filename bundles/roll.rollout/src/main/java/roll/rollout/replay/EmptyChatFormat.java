package roll.rollout.replay;

import java.nio.file.Path;
import java.util.List;
import roll.api.data.Message;
import roll.api.model.Tokenizer;
import roll.api.rollout.ChatFormat;
import roll.api.tool.ToolSchema;

/** A chat format whose prompts have no tokens, for a policy that does not read them. */
final class EmptyChatFormat implements ChatFormat {
  private static final int[] NOTHING = {};

  @Override
  public int[] opening(List<Message> messages) {
    return NOTHING;
  }

  @Override
  public int[] opening(List<Message> messages, List<ToolSchema> tools) {
    return NOTHING;
  }

  @Override
  public int[] whole(List<Message> messages) {
    return NOTHING;
  }

  @Override
  public int[] between(int[] response, List<Message> messages) {
    return NOTHING;
  }

  @Override
  public List<Integer> stops() {
    return List.of();
  }

  /** A tokenizer without tokens of the empty chat format. */
  static final class EmptyTokenizer implements Tokenizer {
    @Override
    public int[] encode(String text) {
      return NOTHING;
    }

    @Override
    public int[] encodePrompt(String text) {
      return NOTHING;
    }

    @Override
    public String decode(int[] tokens, boolean special) {
      return "";
    }

    @Override
    public int id(String text) {
      return -1;
    }

    @Override
    public Path folder() {
      return Path.of("");
    }

    @Override
    public int size() {
      return 0;
    }

    @Override
    public List<Integer> stopTokens() {
      return List.of();
    }

    @Override
    public void close() {}
  }
}
