package roll.serve;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.api.config.UserException;
import roll.api.serving.ServedModel;
import roll.api.strategy.Generation;

/**
 * Answers one request to the model, whole or as a stream. A client that is gone is found out by
 * writing to it: while the model is busy a line end or an empty comment goes out each second, which
 * JSON and event streams pass over.
 */
final class Answer {
  private static final Logger LOG = LoggerFactory.getLogger("roll.serve");
  private static final Gson GSON =
      new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

  private final ServedModel model;
  private final Asked asked;
  private final Shape shape;
  private final HttpExchange exchange;

  Answer(ServedModel model, Asked asked, Shape shape, HttpExchange exchange) {
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
      String type = asked.stream() ? "text/event-stream; charset=utf-8" : "application/json";
      exchange.getResponseHeaders().set("Content-Type", type);
      if (asked.stream()) {
        exchange.getResponseHeaders().set("Cache-Control", "no-cache");
      }
      exchange.sendResponseHeaders(200, 0);
      OutputStream out = exchange.getResponseBody();
      if (asked.stream()) {
        stream(writing, first, out);
      } else {
        write(out, GSON.toJson(whole(finished(writing, first, out))) + "\n");
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

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /** Waits for the responses. */
  private static List<Generation> finished(
      Writing writing, Writing.@Nullable Event first, OutputStream out)
      throws IOException, InterruptedException {
    for (Writing.@Nullable Event event = first; ; event = writing.next()) {
      switch (event) {
        case Writing.Done done -> {
          return done.responses();
        }
        case Writing.Failed failed -> throw new IOException(refused(failed));
        case Writing.Drawn _ -> {}
        case null -> write(out, "\n");
      }
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

  private void stream(Writing writing, Writing.@Nullable Event first, OutputStream out)
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
          end(out, choices, done.responses());
          return;
        }
        case Writing.Failed failed -> {
          event(out, refused(failed).json());
          throw new IOException(failed.failure());
        }
        case null -> write(out, ":\n\n");
      }
    }
  }

  private void end(OutputStream out, List<Telling> choices, List<Generation> responses)
      throws IOException {
    for (int i = 0; i < choices.size(); i++) {
      say(out, choices.get(i).end(responses.get(i).stopped()));
    }
    if (asked.usage()) {
      event(out, shape.used(Shape.usage(asked.promptTokens(), responses)));
    }
    write(out, "data: [DONE]\n\n");
  }

  private static void say(OutputStream out, List<JsonObject> parts) throws IOException {
    for (JsonObject part : parts) {
      event(out, part);
    }
  }

  private static void event(OutputStream out, JsonObject part) throws IOException {
    write(out, "data: " + GSON.toJson(part) + "\n\n");
  }
}
