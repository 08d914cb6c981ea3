package roll.openai.answer;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.api.strategy.Generation;
import roll.api.strategy.Generator;
import roll.http.Exchange;
import roll.openai.request.ApiException;
import roll.openai.request.GenerationSpec;

/**
 * Answers one completion request, as one body or as a stream. A disconnected client is noticed by
 * writing to it: while there is no output, a line break or an empty comment is sent each second,
 * which parsers of JSON and of event streams skip.
 */
public final class ResponseWriter {
  private static final Logger LOG = LoggerFactory.getLogger("roll.openai");
  private static final Gson GSON =
      new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

  private final Tokenizer tokenizer;
  private final Generator generator;
  private final GenerationSpec asked;
  private final ResponseFormat shape;
  private final Exchange exchange;

  /**
   * Creates the writer of the answer to {@code asked}, in the JSON of {@code shape}, through {@code
   * exchange}.
   *
   * @param tokenizer the model's tokenizer
   * @param generator generates the responses
   */
  public ResponseWriter(
      Tokenizer tokenizer,
      Generator generator,
      GenerationSpec asked,
      ResponseFormat shape,
      Exchange exchange) {
    this.tokenizer = tokenizer;
    this.generator = generator;
    this.asked = asked;
    this.shape = shape;
    this.exchange = exchange;
  }

  /**
   * Writes the answer to the completion request.
   *
   * @throws ApiException if the generation fails before anything was sent
   * @throws IOException if the client is disconnected, or the generation fails later
   */
  public void send() throws IOException, InterruptedException {
    try (PendingGeneration writing = new PendingGeneration(generator, asked)) {
      PendingGeneration.@Nullable Event first = writing.next();
      if (first instanceof PendingGeneration.Failed failed) {
        throw refused(failed);
      }
      if (asked.stream()) {
        exchange.answerHeader("Cache-Control", "no-cache");
      }
      String type = asked.stream() ? "text/event-stream; charset=utf-8" : "application/json";
      KeepAliveWriter out = new KeepAliveWriter(exchange.begin(200, type));
      if (asked.stream()) {
        stream(writing, first, out);
      } else {
        out.write(GSON.toJson(whole(finished(writing, first, out))) + "\n");
      }
      out.close();
    }
  }

  private static ApiException refused(PendingGeneration.Failed failed) {
    if (failed.failure() instanceof ApiException refusal) {
      return refusal;
    }
    if (failed.failure() instanceof UserException mistake) {
      return ApiException.status(400, mistake.getMessage(), null);
    }
    LOG.error("a request failed", failed.failure());
    return ApiException.failed();
  }

  /** Waits until all responses are complete. */
  private List<Generation> finished(
      PendingGeneration writing, PendingGeneration.@Nullable Event first, KeepAliveWriter out)
      throws IOException, InterruptedException {
    for (PendingGeneration.@Nullable Event event = first; ; event = writing.next()) {
      switch (event) {
        case PendingGeneration.Done done -> {
          exchange.deliver();
          return done.responses();
        }
        case PendingGeneration.Failed failed -> throw new IOException(refused(failed));
        case PendingGeneration.SampledToken _ -> {}
        case null -> {}
      }
      out.beat("\n");
    }
  }

  private JsonObject whole(List<Generation> responses) {
    JsonArray choices = new JsonArray();
    for (int i = 0; i < responses.size(); i++) {
      choices.add(choice(i, responses.get(i)));
    }
    return shape.whole(choices, ResponseFormat.usage(asked.promptTokens(), responses));
  }

  private JsonObject choice(int index, Generation response) {
    ChoiceBuilder reply = reply(index);
    LogProbCollector scoring = new LogProbCollector(tokenizer);
    List<Delta> pieces = new ArrayList<>();
    for (int i = 0; i < response.tokens().length; i++) {
      pieces.addAll(reply.add(response.tokens()[i]));
      scoring.add(response.tokens()[i], response.logProbs()[i]);
    }
    pieces.addAll(reply.rest());
    JsonObject logProbs =
        asked.logProbs() ? shape.logProbs(scoring.rest(reply.length(), response.stopped())) : null;
    return shape.choice(index, pieces, reply.reason(response.stopped()), logProbs);
  }

  private ChoiceBuilder reply(int index) {
    int[] prompt = asked.prompts().get(index / asked.choices());
    List<String> stops = asked.sampling().stopStrings();
    return new ChoiceBuilder(tokenizer, prompt, stops, asked.toolCalls(), asked.oneCall());
  }

  private void stream(
      PendingGeneration writing, PendingGeneration.@Nullable Event first, KeepAliveWriter out)
      throws IOException, InterruptedException {
    List<ChoiceStream> choices = new ArrayList<>();
    for (int i = 0; i < asked.prompts().size() * asked.choices(); i++) {
      LogProbCollector scoring = asked.logProbs() ? new LogProbCollector(tokenizer) : null;
      choices.add(new ChoiceStream(i, shape, reply(i), scoring));
    }
    say(out, shape.opening(choices.size()));
    for (PendingGeneration.@Nullable Event event = first; ; event = writing.next()) {
      switch (event) {
        case PendingGeneration.SampledToken drawn ->
            say(out, choices.get(drawn.response()).add(drawn));
        case PendingGeneration.Done done -> {
          exchange.deliver();
          end(out, choices, done.responses());
          return;
        }
        case PendingGeneration.Failed failed -> {
          event(out, refused(failed).json());
          throw new IOException(failed.failure());
        }
        case null -> {}
      }
      out.beat(":\n\n");
    }
  }

  private void end(KeepAliveWriter out, List<ChoiceStream> choices, List<Generation> responses)
      throws IOException {
    for (int i = 0; i < choices.size(); i++) {
      say(out, choices.get(i).end(responses.get(i).stopped()));
    }
    if (asked.usage()) {
      event(out, shape.used(ResponseFormat.usage(asked.promptTokens(), responses)));
    }
    out.write("data: [DONE]\n\n");
  }

  private static void say(KeepAliveWriter out, List<JsonObject> parts) throws IOException {
    for (JsonObject part : parts) {
      event(out, part);
    }
  }

  private static void event(KeepAliveWriter out, JsonObject part) throws IOException {
    out.write("data: " + GSON.toJson(part) + "\n\n");
  }
}
