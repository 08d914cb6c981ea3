package roll.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import roll.api.data.RandomStreams;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.InferSession;
import roll.api.strategy.Sampling;

/**
 * Runs concurrent conversations of several turns, as agents have them: a prompt is the conversation
 * so far and an observation of 16 to 48 random tokens; a response has 8 to 64 tokens, sampled at
 * temperature 1. Lengths and seeds are drawn beforehand, so that the work does not depend on the
 * session. A conversation ends early at the model's maximum position.
 */
final class ConversationBench {
  private final int turns;
  private final int positions;
  private final int vocabulary;

  /** Conversations of {@code turns} with the model of {@code subject}. */
  ConversationBench(BenchModel subject, int turns) {
    this.turns = turns;
    this.positions = subject.spec().maxPositions();
    this.vocabulary = subject.spec().vocabulary();
  }

  /**
   * The measured time and work.
   *
   * @param seconds elapsed time
   * @param tokens of all responses
   */
  record Measured(double seconds, long tokens) {
    Measured and(Measured other) {
      return new Measured(seconds + other.seconds, tokens + other.tokens);
    }

    double rate() {
      return tokens / seconds;
    }
  }

  /** Returns the maximum tokens of a conversation. */
  int length() {
    return Math.min(positions, turns * (48 + 64));
  }

  /**
   * Runs {@code count} concurrent conversations and measures them. With a continuous session each
   * proceeds on its own, otherwise all take one turn at a time.
   *
   * @param seed of the conversations
   */
  Measured hold(InferSession session, int count, long seed) {
    List<Conversation> all =
        IntStream.range(0, count)
            .mapToObj(i -> new Conversation(RandomStreams.of(seed, "bench conversation", i)))
            .toList();
    long start = System.nanoTime();
    if (session.continuous()) {
      CompletableFuture.allOf(
              all.stream().map(one -> alone(session, one)).toArray(CompletableFuture[]::new))
          .join();
    } else {
      waves(session, all);
    }
    double seconds = (System.nanoTime() - start) * 1e-9;
    return new Measured(seconds, all.stream().mapToLong(one -> one.said).sum());
  }

  private static CompletableFuture<Void> alone(InferSession session, Conversation one) {
    if (one.ended()) {
      return CompletableFuture.completedFuture(null);
    }
    return session
        .generate(List.of(one.ask()))
        .thenCompose(
            answer -> {
              one.hear(answer.getFirst());
              return alone(session, one);
            });
  }

  private static void waves(InferSession session, List<Conversation> all) {
    List<Conversation> left = all;
    while (!left.isEmpty()) {
      List<Generation> answers =
          session.generate(left.stream().map(Conversation::ask).toList()).join();
      for (int i = 0; i < answers.size(); i++) {
        left.get(i).hear(answers.get(i));
      }
      left = left.stream().filter(one -> !one.ended()).toList();
    }
  }

  /** Observation, response limit and seed of a turn. */
  private record Turn(int[] observation, int limit, long seed) {}

  /** One benchmarked conversation; used by one thread at a time. */
  private final class Conversation {
    private final List<Turn> plan = new ArrayList<>();
    private int[] text = {};
    private int turn;
    private long said;

    Conversation(RandomGenerator random) {
      int length = 0;
      for (int i = 0; i < turns; i++) {
        int[] observation = random.ints(random.nextInt(16, 49), 0, vocabulary).toArray();
        length += observation.length;
        int limit = Math.min(random.nextInt(8, 65), positions - length);
        if (limit <= 0) {
          break;
        }
        plan.add(new Turn(observation, limit, random.nextLong()));
        length += limit;
      }
    }

    boolean ended() {
      return turn == plan.size();
    }

    GenerationRequest ask() {
      Turn next = plan.get(turn);
      text = joined(text, next.observation());
      return new GenerationRequest(text, Sampling.of(next.limit()), List.of(), next.seed());
    }

    void hear(Generation response) {
      text = joined(text, response.tokens());
      said += response.tokens().length;
      turn++;
    }

    private static int[] joined(int[] before, int[] after) {
      return IntStream.concat(IntStream.of(before), IntStream.of(after)).toArray();
    }
  }
}
