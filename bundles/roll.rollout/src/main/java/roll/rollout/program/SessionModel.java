package roll.rollout.program;

import org.jspecify.annotations.Nullable;
import roll.api.model.Tokenizer;
import roll.openai.dialect.ChatJob;
import roll.openai.dialect.ChatModel;
import roll.openai.dialect.StoredConversations;
import roll.openai.request.ApiException;
import roll.openai.request.ChatCall;
import roll.openai.request.GenerationSpec;
import roll.runtime.serving.PictureSettings;
import roll.runtime.trace.Span;

/**
 * The policy of an episode, for dialects; it answers whatever model a program names.
 *
 * @param span of the request
 */
record SessionModel(AgentSession session, Span span) implements ChatModel {
  @Override
  public String name() {
    return AgentTask.MODEL;
  }

  @Override
  public void check(@Nullable String name) {}

  @Override
  public Tokenizer tokenizer() {
    return session.model().tokenizer();
  }

  @Override
  public int longest() {
    return session.model().sequenceLength();
  }

  @Override
  public PictureSettings pictures() {
    return PictureSettings.NONE;
  }

  @Override
  public int count(ChatCall call) {
    return session.history().ask(call.said(), call.variables(), call.prefix()).tokens().length;
  }

  /**
   * Begins to answer {@code call}.
   *
   * @throws ApiException also if it ends responses differently than the run does
   */
  @Override
  public ChatJob begin(ChatCall call) {
    if (!call.stopTokens().isEmpty()) {
      throw ApiException.invalid("stop_token_ids", "the run decides which tokens end a response");
    }
    if (call.sampling().structuredOutput() != null || !call.sampling().choices().isEmpty()) {
      throw ApiException.wrong(
          call.parameter(),
          "The run decides what responses may be (generating_args), so a request cannot set a"
              + " format.");
    }
    CapturedCompletion.Request request = session.ask(call);
    GenerationSpec spec =
        call.spec(request.tokens(), session.model().chat().stops(), longest(), true);
    return new ChatJob(spec, requests -> session.answer(request, spec, span));
  }

  @Override
  public StoredConversations conversations() {
    return session.conversations();
  }
}
