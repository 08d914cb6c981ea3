package roll.cluster.environments.codec;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import roll.api.option.UserException;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;
import roll.text.OneLine;

/**
 * What came of a call into an environment. That the environment failed is an answer like any other:
 * it would fail anywhere; only other failures say something of the node.
 */
public final class OutcomeCodec {
  private enum Kind {
    VALUE,
    MISTAKE,
    FAILURE
  }

  private OutcomeCodec() {}

  /** Does {@code call}, whose result writes itself. */
  public static CompletableFuture<byte[]> of(Supplier<Consumer<ByteWriter>> call) {
    byte[] answer;
    try {
      ByteWriter out = new ByteWriter().constant(Kind.VALUE);
      call.get().accept(out);
      answer = out.toBytes();
    } catch (UserException e) {
      answer = new ByteWriter().constant(Kind.MISTAKE).text(message(e)).toBytes();
    } catch (Throwable e) { // an environment may throw anything
      answer = new ByteWriter().constant(Kind.FAILURE).text(OneLine.of(e)).toBytes();
    }
    return CompletableFuture.completedFuture(answer);
  }

  private static String message(UserException e) {
    return String.valueOf(e.getMessage());
  }

  /**
   * What {@code value} reads of an answer.
   *
   * @return gives it; or throws {@link UserException} if the environment threw one, {@link
   *     EnvironmentFailedException} if it threw anything else
   */
  public static <T> Supplier<T> read(ByteReader in, Function<ByteReader, T> value) {
    return switch (in.constant(Kind.values())) {
      case VALUE -> {
        T read = value.apply(in);
        yield () -> read;
      }
      case MISTAKE -> {
        String message = in.text();
        yield () -> {
          throw new UserException(message);
        };
      }
      case FAILURE -> {
        String what = in.text();
        yield () -> {
          throw new EnvironmentFailedException(what);
        };
      }
    };
  }
}
