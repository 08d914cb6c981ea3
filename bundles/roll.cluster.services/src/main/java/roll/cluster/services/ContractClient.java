package roll.cluster.services;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;
import roll.api.option.UserException;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.services.RemoteContract.Operation;
import roll.cluster.services.codec.MessagePictures;
import roll.cluster.services.codec.RecordCodec;

/**
 * Calling side of a {@link RemoteContract}.
 *
 * @param topics first part of the topics for pictures and cancellations
 * @param object number of the object at {@code member}
 */
record ContractClient(
    String topics, Membership membership, Member member, long object, Duration limit) {
  /** Topic of {@link #PICTURES} below that of a contract. */
  static final String SHOW = "/pictures";

  /** Topic of {@link #CANCEL} below that of a contract. */
  static final String GIVE_UP = "/cancel";

  /** Codec of a call's number and some of its pictures. */
  static final RecordCodec PICTURES = RecordCodec.of(long.class, Picture[].class);

  /** Codec of the number of a canceled call. */
  static final RecordCodec CANCEL = RecordCodec.of(long.class);

  private static final AtomicLong CALLS = new AtomicLong();

  @Nullable Object call(Operation operation, Object @Nullable [] arguments) {
    int count = arguments == null ? 0 : arguments.length;
    @Nullable Object[] values = new @Nullable Object[2 + count];
    long number = CALLS.incrementAndGet();
    values[0] = number;
    values[1] = object;
    if (arguments != null) {
      System.arraycopy(arguments, 0, values, 2, count);
    }
    if (operation.answer() == null) {
      membership.send(member, operation.topic(), operation.arguments().write(values));
      return null;
    }
    CompletableFuture<Object> answer = call(operation, operation.answer(), number, values);
    return operation.waits() ? wait(answer) : answer;
  }

  private @Nullable Object wait(CompletableFuture<Object> answer) {
    Outcome<?> outcome = (Outcome<?>) RemoteCalls.awaitInterruptibly(answer, member);
    return outcome.get();
  }

  private CompletableFuture<Object> call(
      Operation operation, RecordCodec answer, long number, @Nullable Object[] values) {
    MessagePictures pictures = new MessagePictures();
    byte[] message;
    List<List<Picture>> parts;
    try {
      message = operation.arguments().write(pictures, values);
      parts = pictures.parts();
    } catch (UserException e) {
      return CompletableFuture.failedFuture(e);
    } catch (RuntimeException e) { // a value has a type that cannot be encoded
      return unsent(e);
    }
    CompletableFuture<Object> value = new CompletableFuture<>();
    AtomicReference<@Nullable CompletableFuture<byte[]>> asked = new AtomicReference<>();
    var unused =
        send(parts, number)
            .thenCompose(
                _ -> {
                  if (value.isCancelled()) {
                    throw new CancellationException("call " + number + " was canceled");
                  }
                  CompletableFuture<byte[]> call = send(operation.topic(), message);
                  asked.set(call);
                  if (value.isCancelled()) {
                    call.cancel(false);
                  }
                  return call;
                })
            .thenApply(bytes -> answer.read(bytes)[0])
            .whenComplete(
                (found, failure) -> {
                  if (failure == null) {
                    value.complete(found);
                  } else {
                    value.completeExceptionally(failure);
                  }
                });
    unused =
        value.whenComplete(
            (_, failure) -> {
              if (value.isCancelled() || (failure != null && !parts.isEmpty())) {
                CompletableFuture<byte[]> call = asked.get();
                if (call != null) {
                  call.cancel(false);
                }
                membership.send(member, topics + GIVE_UP, CANCEL.write(number));
              }
            });
    return value;
  }

  /** Sends the pictures of a call, one message after the other. */
  private CompletableFuture<?> send(List<List<Picture>> parts, long number) {
    CompletableFuture<?> sent = CompletableFuture.completedFuture(null);
    for (List<Picture> part : parts) {
      sent =
          sent.thenCompose(
              _ -> send(topics + SHOW, PICTURES.write(number, part.toArray(Picture[]::new))));
    }
    return sent;
  }

  private CompletableFuture<byte[]> send(String topic, byte[] message) {
    try {
      return membership.call(member, topic, message, limit);
    } catch (IllegalArgumentException e) { // the message is too long
      return unsent(e);
    }
  }

  private <R> CompletableFuture<R> unsent(RuntimeException why) {
    return CompletableFuture.failedFuture(
        new IllegalArgumentException("node " + member + ": " + why.getMessage(), why));
  }
}
