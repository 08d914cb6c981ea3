package roll.cluster.services;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.Registration;
import roll.cluster.services.codec.RecordCodec;

/**
 * An interface that one node implements and others call, in the spirit of Remote Services. Each
 * method is a topic, its arguments are a message, and what it returns says how it is called: {@code
 * void} tells and waits for nothing, a {@code CompletableFuture} asks. Messages are those of {@link
 * RecordCodec}.
 *
 * @param <T> the interface
 */
public final class RemoteContract<T> {
  /** A method; the result is null where nothing is answered. */
  private record Operation(
      Method method, String topic, RecordCodec arguments, @Nullable RecordCodec result) {}

  private final Class<T> type;
  private final Map<String, Operation> operations = new LinkedHashMap<>();

  /**
   * The contract of {@code type}.
   *
   * @param prefix what its topics begin with, before a slash and the name of a method
   * @throws IllegalArgumentException if a method takes or returns what no message has
   */
  public RemoteContract(String prefix, Class<T> type) {
    this.type = type;
    for (Method method : type.getMethods()) {
      method.setAccessible(true); // the interface need not be public
      Operation operation =
          new Operation(
              method,
              prefix + "/" + method.getName(),
              RecordCodec.of(method.getGenericParameterTypes()),
              result(method.getGenericReturnType()));
      if (operations.put(method.getName(), operation) != null) {
        throw new IllegalArgumentException("two methods are named " + method.getName());
      }
    }
  }

  private static @Nullable RecordCodec result(Type type) {
    if (type == void.class) {
      return null;
    }
    if (type instanceof ParameterizedType future
        && future.getRawType() == CompletableFuture.class) {
      return RecordCodec.of(future.getActualTypeArguments());
    }
    throw new IllegalArgumentException(type + " is neither void nor a future");
  }

  /**
   * The implementation of {@code member}. A message that cannot be sent fails the future; canceling
   * it gives up waiting.
   *
   * @param limit as {@link Membership#call} takes it
   */
  public T of(Membership membership, Member member, Duration limit) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                switch (operations.get(method.getName())) {
                  case Operation operation -> call(membership, member, limit, operation, arguments);
                  case null -> ofObject(proxy, method, arguments);
                }));
  }

  /** What proxies are asked beside the contract. */
  private Object ofObject(Object proxy, Method method, Object @Nullable [] arguments) {
    return switch (method.getName()) {
      case "equals" -> arguments != null && proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      default -> type.getSimpleName();
    };
  }

  private static @Nullable CompletableFuture<?> call(
      Membership membership,
      Member member,
      Duration limit,
      Operation operation,
      Object @Nullable [] arguments) {
    Object[] values = arguments == null ? new Object[0] : arguments;
    RecordCodec result = operation.result;
    if (result == null) {
      membership.send(member, operation.topic, operation.arguments.write(values));
      return null;
    }
    byte[] message;
    try {
      message = operation.arguments.write(values);
    } catch (RuntimeException e) { // a value is of no type of a message
      return unsent(member, e);
    }
    try {
      CompletableFuture<byte[]> asked = membership.call(member, operation.topic, message, limit);
      CompletableFuture<Object> value = asked.thenApply(answer -> result.read(answer)[0]);
      var unused =
          value.whenComplete(
              (_, _) -> {
                if (value.isCancelled()) {
                  asked.cancel(false);
                }
              });
      return value;
    } catch (IllegalArgumentException e) { // it is too long
      return unsent(member, e);
    }
  }

  private static CompletableFuture<?> unsent(Member member, RuntimeException why) {
    return CompletableFuture.failedFuture(
        new IllegalArgumentException("node " + member + ": " + why.getMessage(), why));
  }

  /**
   * Answers calls of all methods from now on, until the result is closed.
   *
   * @param here what answers a member; called for each call
   */
  public Registration serve(Membership membership, Function<Member, ? extends T> here) {
    List<Registration> registrations =
        operations.values().stream()
            .map(
                operation ->
                    membership.handle(
                        operation.topic,
                        (from, message) -> answer(operation, here.apply(from), message)))
            .toList();
    return () -> registrations.forEach(Registration::close);
  }

  private static CompletableFuture<byte[]> answer(
      Operation operation, Object here, byte[] message) {
    @Nullable Object[] arguments = operation.arguments.read(message);
    RecordCodec result = operation.result;
    Object answer;
    try {
      answer = operation.method.invoke(here, arguments);
    } catch (InvocationTargetException e) {
      return CompletableFuture.failedFuture(failure(e.getCause()));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
    return result != null && answer instanceof CompletableFuture<?> future
        ? future.thenApply(result::write)
        : CompletableFuture.completedFuture(new byte[0]);
  }

  private static RuntimeException failure(@Nullable Throwable thrown) {
    return thrown instanceof RuntimeException failure ? failure : new CompletionException(thrown);
  }
}
