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
 * Conversations of several turns at once, as agents have them: each prompt is all that was said and
 * an observation of 16 to 48 random tokens, each response is sampled at temperature 1 and has 8 to
 * 64 tokens. Lengths and seeds are drawn beforehand, so that every session writes as much. A
 * conversation ends early where the model's positions do.
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
   * What was said.
   *
   * @param seconds it took
   * @param tokens of all responses
   */
  record Said(double seconds, long tokens) {
    Said and(Said other) {
      return new Said(seconds + other.seconds, tokens + other.tokens);
    }

    double rate() {
      return tokens / seconds;
    }
  }

  /** Most tokens of a conversation. */
  int length() {
    return Math.min(positions, turns * (48 + 64));
  }

  /**
   * Has {@code count} conversations with {@code session}, each going on as soon as it has its
   * response where the session is continuous, otherwise in waves of one turn of all.
   *
   * @param seed of what is asked
   */
  Said hold(InferSession session, int count, long seed) {
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
    return new Said(seconds, all.stream().mapToLong(one -> one.said).sum());
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

  /** What the environment says in a turn, and how much it lets the model say. */
  private record Turn(int[] observation, int limit, long seed) {}

  /** One of them; used by one thread at a time. */
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
