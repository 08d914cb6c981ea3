package roll.openai.answer;

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
public final class ResponseWriter implements Answer {
  private static final Logger LOG = LoggerFactory.getLogger("roll.openai");

  private final Tokenizer tokenizer;
  private final Generator generator;
  private final GenerationSpec asked;
  private final ResponseFormat shape;

  /**
   * Creates the writer of the answer to {@code asked} in the form of {@code shape}.
   *
   * @param tokenizer the model's tokenizer
   * @param generator generates the responses
   */
  public ResponseWriter(
      Tokenizer tokenizer, Generator generator, GenerationSpec asked, ResponseFormat shape) {
    this.tokenizer = tokenizer;
    this.generator = generator;
    this.asked = asked;
    this.shape = shape;
  }

  @Override
  public void send(Exchange exchange) throws IOException, InterruptedException {
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
        stream(writing, first, exchange, out);
      } else {
        out.write(JsonAnswer.text(whole(finished(writing, first, exchange, out))));
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
  private static List<Generation> finished(
      PendingGeneration writing,
      PendingGeneration.@Nullable Event first,
      Exchange exchange,
      KeepAliveWriter out)
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
    List<Choice> choices = new ArrayList<>();
    int thought = 0;
    for (int i = 0; i < responses.size(); i++) {
      ChoiceBuilder reply = reply(i);
      choices.add(choice(reply, responses.get(i)));
      thought += reply.thought();
    }
    return shape.whole(choices, usage(responses, thought));
  }

  private Choice choice(ChoiceBuilder reply, Generation response) {
    LogProbCollector scoring = new LogProbCollector(tokenizer);
    List<Delta> pieces = new ArrayList<>();
    for (int i = 0; i < response.tokens().length; i++) {
      pieces.addAll(reply.add(response.tokens()[i]));
      scoring.add(response.tokens()[i], response.logProbs()[i]);
    }
    pieces.addAll(reply.rest());
    List<ScoredToken> logProbs =
        asked.logProbs() ? scoring.rest(reply.length(), response.stopped()) : null;
    return new Choice(pieces, reply.ending(response.stopped()), logProbs);
  }

  private TokenUsage usage(List<Generation> responses, int thought) {
    int written = responses.stream().mapToInt(response -> response.tokens().length).sum();
    return new TokenUsage(asked.promptTokens(), written, thought);
  }

  private ChoiceBuilder reply(int index) {
    int[] prompt = asked.prompts().get(index / asked.choices());
    List<String> stops = asked.sampling().stopStrings();
    return new ChoiceBuilder(
        tokenizer,
        prompt,
        asked.prefix(),
        stops,
        shape.thoughts(),
        asked.toolCalls(),
        asked.oneCall());
  }

  private void stream(
      PendingGeneration writing,
      PendingGeneration.@Nullable Event first,
      Exchange exchange,
      KeepAliveWriter out)
      throws IOException, InterruptedException {
    List<ChoiceStream> choices = new ArrayList<>();
    for (int i = 0; i < asked.prompts().size() * asked.choices(); i++) {
      LogProbCollector scoring = asked.logProbs() ? new LogProbCollector(tokenizer) : null;
      choices.add(new ChoiceStream(i, shape, reply(i), scoring));
    }
    say(out, shape.opening(choices.size(), asked.promptTokens()));
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
          say(out, shape.failed(refused(failed)));
          return;
        }
        case null -> {}
      }
      out.beat(shape.filler());
    }
  }

  private void end(KeepAliveWriter out, List<ChoiceStream> choices, List<Generation> responses)
      throws IOException {
    for (int i = 0; i < choices.size(); i++) {
      say(out, choices.get(i).end(responses.get(i).stopped()));
    }
    int thought = choices.stream().mapToInt(ChoiceStream::thought).sum();
    say(out, shape.closing(usage(responses, thought)));
  }

  private static void say(KeepAliveWriter out, List<StreamEvent> events) throws IOException {
    for (StreamEvent event : events) {
      out.write(event.text());
    }
  }
}
