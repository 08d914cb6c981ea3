package roll.cluster.services;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.Registration;
import roll.cluster.services.RemoteContract.Operation;
import roll.cluster.services.RemoteContract.Target;
import roll.cluster.services.RemoteContract.Targets;
import roll.cluster.services.codec.RecordCodec;

/** Called side of a {@link RemoteContract}. */
final class ContractServer<T> implements Registration {
  /** A call, with the number that its member gave it. */
  private record Call(long member, long number) {}

  private static final byte[] NOTHING = {};
  private final Targets<T> targets;
  private final List<Registration> registrations = new ArrayList<>();
  private final Leases<Call, List<Picture>> pictures;
  private final Map<Call, CompletableFuture<?>> running = new ConcurrentHashMap<>();

  ContractServer(RemoteContract<T> contract, Membership membership, Targets<T> targets) {
    this.targets = targets;
    this.pictures = new Leases<>(membership, (_, _, _) -> {});
    String topics = contract.topics();
    registrations.add(membership.handle(topics + ContractClient.SHOW, this::show));
    registrations.add(membership.handle(topics + ContractClient.GIVE_UP, this::cancel));
    for (Operation operation : contract.operations()) {
      registrations.add(
          membership.handle(
              operation.topic(), (from, message) -> answer(operation, from, message)));
    }
  }

  private CompletableFuture<byte[]> show(Member from, byte[] message) {
    @Nullable Object[] values = ContractClient.PICTURES.read(message);
    Call call = new Call(from.uid(), number(values));
    List<Picture> before = Objects.requireNonNullElse(pictures.get(call, from), List.of());
    List<Picture> more = Arrays.asList((Picture[]) Objects.requireNonNull(values[1]));
    pictures.put(call, from, Stream.concat(before.stream(), more.stream()).toList());
    return CompletableFuture.completedFuture(NOTHING);
  }

  private CompletableFuture<byte[]> cancel(Member from, byte[] message) {
    Call call = new Call(from.uid(), number(ContractClient.CANCEL.read(message)));
    var unused = pictures.remove(call);
    CompletableFuture<?> answer = running.get(call);
    if (answer != null) {
      answer.cancel(true);
    }
    return CompletableFuture.completedFuture(NOTHING);
  }

  private static long number(@Nullable Object[] values) {
    return (long) Objects.requireNonNull(values[0]);
  }

  private CompletableFuture<byte[]> answer(Operation operation, Member from, byte[] message) {
    RecordCodec codec = operation.answer();
    @Nullable Object[] values =
        codec == null
            ? operation.arguments().read(message)
            : operation
                .arguments()
                .read(message, number -> pictures.remove(new Call(from.uid(), number)));
    Target<T> target =
        targets.find(from, (long) Objects.requireNonNull(values[1]), operation.method().getName());
    @Nullable Object[] arguments = Arrays.copyOfRange(values, 2, values.length);
    if (codec != null && operation.waits()) {
      return CompletableFuture.completedFuture(
          Outcome.encoded(
              codec,
              target,
              object -> Objects.requireNonNull(invoke(operation, object, arguments), "no value")));
    }
    Object result;
    try {
      result =
          target.apply(
              object -> Objects.requireNonNullElse(invoke(operation, object, arguments), NOTHING));
    } catch (CompletionException e) {
      return CompletableFuture.failedFuture(
          e.getCause() instanceof RuntimeException failure ? failure : e);
    }
    if (codec == null || !(result instanceof CompletableFuture<?> future)) {
      return CompletableFuture.completedFuture(NOTHING);
    }
    Call call = new Call(from.uid(), number(values));
    running.put(call, future);
    return future.whenComplete((_, _) -> running.remove(call)).thenApply(codec::write);
  }

  /**
   * Calls the method that a remote call names.
   *
   * @throws CompletionException with what it threw
   */
  private static @Nullable Object invoke(
      Operation operation, Object object, @Nullable Object[] arguments) {
    try {
      return operation.method().invoke(object, arguments);
    } catch (InvocationTargetException e) {
      throw new CompletionException(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    registrations.forEach(Registration::close);
    pictures.close();
  }
}
