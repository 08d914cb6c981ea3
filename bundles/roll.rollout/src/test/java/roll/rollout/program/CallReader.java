package roll.rollout.program;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import roll.api.model.Tokenizer;
import roll.openai.dialect.ChatJob;
import roll.openai.dialect.ChatModel;
import roll.openai.dialect.StoredConversations;
import roll.openai.request.ChatCall;
import roll.runtime.serving.PictureSettings;

/** Keeps the call that a dialect reads from a request. */
@NullMarked
final class CallReader implements ChatModel {
  private final StoredConversations conversations = new StoredConversations();
  private @Nullable ChatCall call;

  /** Returns the call of a request with {@code body}. */
  static ChatCall read(String path, String body) throws InterruptedException {
    CallReader reader = new CallReader();
    var unused = Objects.requireNonNull(ChatKit.dialects().at(path)).read(path, body, reader);
    return Objects.requireNonNull(reader.call);
  }

  @Override
  public String name() {
    return AgentTask.MODEL;
  }

  @Override
  public void check(@Nullable String name) {}

  @Override
  public Tokenizer tokenizer() {
    return ChatKit.TOKENIZER;
  }

  @Override
  public int longest() {
    return 1000;
  }

  @Override
  public PictureSettings pictures() {
    return PictureSettings.NONE;
  }

  @Override
  public int count(ChatCall asked) {
    call = asked;
    return 0;
  }

  @Override
  public ChatJob begin(ChatCall asked) {
    call = asked;
    return new ChatJob(
        asked.spec(new int[1], List.of(), longest(), true), requests -> new CompletableFuture<>());
  }

  @Override
  public StoredConversations conversations() {
    return conversations;
  }
}
