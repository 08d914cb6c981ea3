package roll.cluster.environments.remote;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import roll.cluster.Member;
import roll.cluster.environments.codec.OutcomeCodec;
import roll.cluster.services.RemoteCalls;
import roll.cluster.services.codec.ByteReader;
import roll.cluster.services.codec.ByteWriter;

/**
 * Calls into environments of one member. A thread that is interrupted waits no longer.
 *
 * @param calls to the member
 */
record EnvironmentCalls(RemoteCalls calls) {
  Member member() {
    return calls.member();
  }

  /**
   * The answer.
   *
   * @throws roll.cluster.NodeLostException if the member is lost
   * @throws roll.cluster.RemoteCallException if it does not have what is asked for
   * @throws roll.api.option.UserException if the environment threw one
   * @throws roll.cluster.environments.codec.EnvironmentFailedException if it threw anything else
   * @throws CancellationException if the thread was interrupted; the flag is set
   */
  <T> T ask(String topic, ByteWriter message, Function<ByteReader, T> value) {
    CompletableFuture<byte[]> call =
        calls.membership().call(member(), topic, message.toBytes(), RemoteCalls.LONG);
    try {
      byte[] answer = call.get();
      // what the environment threw is no fault of the message
      return ByteReader.read(answer, in -> OutcomeCodec.read(in, value)).get();
    } catch (InterruptedException e) {
      call.cancel(true);
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted in a call to " + member());
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    }
  }

  /** Tells, and does not wait. */
  void tell(String topic, ByteWriter message) {
    calls.membership().send(member(), topic, message.toBytes());
  }
}
