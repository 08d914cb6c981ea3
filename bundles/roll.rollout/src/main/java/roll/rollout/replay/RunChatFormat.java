package roll.rollout.replay;

import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig;
import roll.api.image.ImageSize;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.api.option.UserException;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.ChatFormats;
import roll.runtime.config.RunConfig;

/** The chat format of a run's policy, loaded from its model folder on first use. */
final class RunChatFormat implements AutoCloseable {
  private final RunConfig run;
  private final ChatFormats formats;
  private final @Nullable TokenizerLoader tokenizers;
  private @Nullable Tokenizer tokenizer;
  private @Nullable ChatFormat chat;

  /**
   * Creates the format of {@code run}.
   *
   * @param tokenizers null if no tokenizer may be loaded
   */
  RunChatFormat(RunConfig run, ChatFormats formats, @Nullable TokenizerLoader tokenizers) {
    this.run = run;
    this.formats = formats;
    this.tokenizers = tokenizers;
  }

  /** Returns whether the run has no model, only an agent. */
  boolean unnamed() {
    return run.roles().pretrain().toString().isEmpty();
  }

  /**
   * Returns the chat format of the run's policy.
   *
   * @throws UserException if the model no longer exists
   */
  synchronized ChatFormat format() {
    ChatFormat known = chat;
    if (known == null) {
      TokenizerLoader loader = tokenizers;
      if (loader == null || unnamed()) {
        throw new UserException(
            "the model of the run, which measures its prompts, is not available");
      }
      WorkerConfig policy = run.roles().actorInfer();
      Tokenizer loaded = loader.load(policy.model().folder());
      tokenizer = loaded;
      known = formats.find(policy.template(), loaded, policy.chatTemplateKwargs());
      chat = known;
    }
    return known;
  }

  /**
   * Returns the size in which the model sees a picture; unchanged if the model no longer exists.
   */
  ImageSize seen(ImageSize picture) {
    try {
      return format().seen(picture);
    } catch (UserException e) {
      return picture; // an action that differs from the recorded one is then reported as a mismatch
    }
  }

  @Override
  public synchronized void close() {
    if (tokenizer != null) {
      tokenizer.close();
    }
  }
}
