package roll.shell.model;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.data.RandomStreams;
import roll.api.image.Picture;
import roll.api.model.Tokenizer;
import roll.api.rollout.ChatFormat;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Sampling;

/** A conversation with a model; earlier responses keep their sampled tokens, as in a rollout. */
final class ChatSession {
  private final PrintStream out;
  private final InferSession model;
  private final Tokenizer tokenizer;
  private final ChatFormat format;
  private final Sampling sampling;
  private final long seed;
  private final @Nullable String system;
  private final List<Picture> pictures;
  private int[] tokens = {};
  private int[] response = {};
  private int turn;

  /**
   * Creates an empty conversation with a model.
   *
   * @param pictures shown with the first message
   */
  ChatSession(
      PrintStream out,
      InferSession model,
      Tokenizer tokenizer,
      ChatFormat format,
      Sampling sampling,
      long seed,
      @Nullable String system,
      List<Picture> pictures) {
    this.out = out;
    this.model = model;
    this.tokenizer = tokenizer;
    this.format = format;
    this.sampling = sampling;
    this.seed = seed;
    this.system = system;
    this.pictures = pictures;
  }

  /** Removes all messages from the chat session. */
  void reset() {
    tokens = new int[0];
    turn = 0;
  }

  /** Sends {@code text} and prints the response while it is generated. */
  void say(String text) throws InterruptedException {
    List<Message> messages = new ArrayList<>();
    if (turn == 0 && system != null) {
      messages.add(new Message("system", system));
    }
    messages.add(ImageOption.message(turn == 0 ? pictures : List.of(), text));
    int[] more = turn == 0 ? format.opening(messages) : format.between(response, messages);
    int[] prompt = joined(tokens, more);
    GenerationRequest request =
        new GenerationRequest(
            prompt, sampling, format.stops(), RandomStreams.seed(seed, "chat", turn));
    Generation answer =
        LocalInference.stream(out, model, tokenizer, request.withPictures(pictures));
    response = answer.tokens();
    tokens = joined(prompt, response);
    turn++;
  }

  private static int[] joined(int[] a, int[] b) {
    int[] all = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, all, a.length, b.length);
    return all;
  }
}
