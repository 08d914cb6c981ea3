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

/**
 * The chat format of a run's policy, read from its model folder when it is first needed, which is
 * seldom. Used by one thread after the other.
 */
final class ModelChat implements AutoCloseable {
  private final RunConfig run;
  private final ChatFormats formats;
  private final @Nullable TokenizerLoader tokenizers;
  private @Nullable Tokenizer tokenizer;
  private @Nullable ChatFormat chat;

  /**
   * That of {@code run}.
   *
   * @param tokenizers null where nothing reads models
   */
  ModelChat(RunConfig run, ChatFormats formats, @Nullable TokenizerLoader tokenizers) {
    this.run = run;
    this.formats = formats;
    this.tokenizers = tokenizers;
  }

  /** Whether an agent alone played, without a model. */
  boolean unnamed() {
    return run.roles().pretrain().toString().isEmpty();
  }

  /**
   * The format.
   *
   * @throws UserException if the model is not there any more
   */
  synchronized ChatFormat format() {
    ChatFormat known = chat;
    if (known == null) {
      TokenizerLoader loader = tokenizers;
      if (loader == null || unnamed()) {
        throw new UserException("the model of the run, whose prompts decide, is not here");
      }
      WorkerConfig policy = run.roles().actorInfer();
      Tokenizer loaded = loader.load(policy.model().folder());
      tokenizer = loaded;
      known = formats.find(policy.template(), loaded, policy.chatTemplateKwargs());
      chat = known;
    }
    return known;
  }

  /** The size in which the model sees a picture; the same where the model is not there any more. */
  ImageSize seen(ImageSize picture) {
    try {
      return format().seen(picture);
    } catch (UserException e) {
      return picture; // what the world reads then differs from what was recorded, and that is told
    }
  }

  @Override
  public synchronized void close() {
    if (tokenizer != null) {
      tokenizer.close();
    }
  }
}
