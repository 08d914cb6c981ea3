package roll.serve;

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
import roll.api.option.UserException;
import roll.api.strategy.Generation;
import roll.http.Exchange;
import roll.runtime.serving.ServedModel;

/**
 * Answers one request to the model, whole or as a stream. A client that is gone is found out by
 * writing to it: while there is nothing to say a line end or an empty comment goes out each second,
 * which JSON and event streams pass over.
 */
final class Answer {
  private static final Logger LOG = LoggerFactory.getLogger("roll.serve");
  private static final Gson GSON =
      new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

  private final ServedModel model;
  private final Asked asked;
  private final Shape shape;
  private final Exchange exchange;

  Answer(ServedModel model, Asked asked, Shape shape, Exchange exchange) {
    this.model = model;
    this.asked = asked;
    this.shape = shape;
    this.exchange = exchange;
  }

  /**
   * Writes the answer.
   *
   * @throws ApiException if there is none and nothing was sent yet
   * @throws IOException if the client is gone, or nothing more can be said to it
   */
  void send() throws IOException, InterruptedException {
    try (Writing writing = new Writing(model.generator(), asked)) {
      Writing.@Nullable Event first = writing.next();
      if (first instanceof Writing.Failed failed) {
        throw refused(failed);
      }
      if (asked.stream()) {
        exchange.answerHeader("Cache-Control", "no-cache");
      }
      String type = asked.stream() ? "text/event-stream; charset=utf-8" : "application/json";
      Pulse out = new Pulse(exchange.begin(200, type));
      if (asked.stream()) {
        stream(writing, first, out);
      } else {
        out.write(GSON.toJson(whole(finished(writing, first, out))) + "\n");
      }
      out.close();
    }
  }

  private static ApiException refused(Writing.Failed failed) {
    if (failed.failure() instanceof UserException mistake) {
      return ApiException.status(400, mistake.getMessage(), null);
    }
    LOG.error("a request failed", failed.failure());
    return ApiException.failed();
  }

  /** Waits for the responses. */
  private List<Generation> finished(Writing writing, Writing.@Nullable Event first, Pulse out)
      throws IOException, InterruptedException {
    for (Writing.@Nullable Event event = first; ; event = writing.next()) {
      switch (event) {
        case Writing.Done done -> {
          exchange.deliver();
          return done.responses();
        }
        case Writing.Failed failed -> throw new IOException(refused(failed));
        case Writing.Drawn _ -> {}
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
    return shape.whole(choices, Shape.usage(asked.promptTokens(), responses));
  }

  private JsonObject choice(int index, Generation response) {
    Reply reply = reply();
    Scoring scoring = new Scoring(model.tokenizer());
    List<Piece> pieces = new ArrayList<>();
    for (int i = 0; i < response.tokens().length; i++) {
      pieces.addAll(reply.add(response.tokens()[i]));
      scoring.add(response.tokens()[i], response.logProbs()[i]);
    }
    pieces.addAll(reply.rest());
    JsonObject logProbs =
        asked.logProbs() ? shape.logProbs(scoring.rest(reply.length(), response.stopped())) : null;
    return shape.choice(index, pieces, reply.reason(response.stopped()), logProbs);
  }

  private Reply reply() {
    return new Reply(model.tokenizer(), asked.sampling().stopStrings(), asked.toolCalls());
  }

  private void stream(Writing writing, Writing.@Nullable Event first, Pulse out)
      throws IOException, InterruptedException {
    List<Telling> choices = new ArrayList<>();
    for (int i = 0; i < asked.prompts().size() * asked.choices(); i++) {
      Scoring scoring = asked.logProbs() ? new Scoring(model.tokenizer()) : null;
      choices.add(new Telling(i, shape, reply(), scoring));
    }
    say(out, shape.opening(choices.size()));
    for (Writing.@Nullable Event event = first; ; event = writing.next()) {
      switch (event) {
        case Writing.Drawn drawn -> say(out, choices.get(drawn.response()).add(drawn));
        case Writing.Done done -> {
          exchange.deliver();
          end(out, choices, done.responses());
          return;
        }
        case Writing.Failed failed -> {
          event(out, refused(failed).json());
          throw new IOException(failed.failure());
        }
        case null -> {}
      }
      out.beat(":\n\n");
    }
  }

  private void end(Pulse out, List<Telling> choices, List<Generation> responses)
      throws IOException {
    for (int i = 0; i < choices.size(); i++) {
      say(out, choices.get(i).end(responses.get(i).stopped()));
    }
    if (asked.usage()) {
      event(out, shape.used(Shape.usage(asked.promptTokens(), responses)));
    }
    out.write("data: [DONE]\n\n");
  }

  private static void say(Pulse out, List<JsonObject> parts) throws IOException {
    for (JsonObject part : parts) {
      event(out, part);
    }
  }

  private static void event(Pulse out, JsonObject part) throws IOException {
    out.write("data: " + GSON.toJson(part) + "\n\n");
  }
}
