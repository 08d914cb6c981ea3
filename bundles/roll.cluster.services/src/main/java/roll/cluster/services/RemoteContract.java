package roll.cluster.services;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;
import roll.cluster.Member;
import roll.cluster.Membership;
import roll.cluster.Registration;
import roll.cluster.services.codec.RecordCodec;

/**
 * An interface that one node implements and others call, in the spirit of Remote Services. Each
 * method is a topic and its arguments are a message of {@link RecordCodec}; the return type says
 * how it is called:
 *
 * <ul>
 *   <li>{@code void}: a message that nothing waits for;
 *   <li>{@code CompletableFuture}: an asynchronous call. A failure of the implementation fails it
 *       with {@link roll.cluster.RemoteCallException}. Canceling the future cancels the future of
 *       the implementation. Each picture among the arguments is sent once, ahead of the call;
 *   <li>anything else: a call that the thread waits for, as {@link Outcome#get} describes.
 * </ul>
 *
 * @param <T> the interface
 */
public final class RemoteContract<T> {
  /** Number of {@link #of(Membership, Member, Duration)}: the node itself. */
  private static final long NODE = 0;

  /**
   * A method of the interface.
   *
   * @param arguments codec of the call's number, the object's number and the arguments
   * @param answer null for a method without one
   * @param waits whether the caller waits and the answer is an {@link Outcome}
   */
  record Operation(
      Method method,
      String topic,
      RecordCodec arguments,
      @Nullable RecordCodec answer,
      boolean waits) {}

  private record OutcomeOf(Type value) implements ParameterizedType {
    @Override
    public Type[] getActualTypeArguments() {
      return new Type[] {value};
    }

    @Override
    public Type getRawType() {
      return Outcome.class;
    }

    @Override
    public @Nullable Type getOwnerType() {
      return null;
    }
  }

  /** Implementation that a member calls, with what has to be done around each call. */
  @ConsumerType
  @FunctionalInterface
  public interface Target<T> {
    /** Applies {@code method} to the implementation. */
    <R> R apply(Function<T, R> method);

    /** Returns a target that calls {@code implementation} directly. */
    static <T> Target<T> of(T implementation) {
      return new Target<>() {
        @Override
        public <R> R apply(Function<T, R> method) {
          return method.apply(implementation);
        }
      };
    }
  }

  /** Finds the object on which a member calls a method. */
  @ConsumerType
  @FunctionalInterface
  public interface Targets<T> {
    /**
     * Returns the target with the number {@code object}.
     *
     * @param method name of the method that {@code from} calls
     * @throws IllegalStateException if {@code from} has none of that number, which the caller gets
     *     as {@link roll.cluster.RemoteCallException}
     */
    Target<T> find(Member from, long object, String method);
  }

  private final Class<T> type;
  private final String topics;
  private final Map<String, Operation> operations = new LinkedHashMap<>();

  /**
   * Creates the contract of {@code type}.
   *
   * @param prefix first part of the topics; a slash and the name of a method follow
   * @throws IllegalArgumentException if a method has a parameter or a result that cannot be encoded
   */
  public RemoteContract(String prefix, Class<T> type) {
    this(prefix, type, Set.of());
  }

  /**
   * Like {@link #RemoteContract(String, Class)}, without some methods.
   *
   * @param local names of methods that proxies refuse with {@link UnsupportedOperationException}
   */
  public RemoteContract(String prefix, Class<T> type, Set<String> local) {
    this.type = type;
    this.topics = prefix + "/" + type.getSimpleName();
    for (Method method : type.getMethods()) {
      if (local.contains(method.getName())) {
        continue;
      }
      method.setAccessible(true); // the interface need not be public
      Type result = method.getGenericReturnType();
      boolean future =
          result instanceof ParameterizedType generic
              && generic.getRawType() == CompletableFuture.class;
      Type answer =
          future ? ((ParameterizedType) result).getActualTypeArguments()[0] : new OutcomeOf(result);
      Operation operation =
          new Operation(
              method,
              prefix + "/" + method.getName(),
              RecordCodec.of(
                  Stream.concat(
                          Stream.of(long.class, long.class),
                          Stream.of(method.getGenericParameterTypes()))
                      .toArray(Type[]::new)),
              result == void.class ? null : RecordCodec.of(answer),
              !future);
      if (operations.put(method.getName(), operation) != null) {
        throw new IllegalArgumentException("two methods are named " + method.getName());
      }
    }
  }

  /** Returns the first part of the topics for pictures and for cancellations. */
  String topics() {
    return topics;
  }

  /** Returns all methods of the remote contract. */
  Iterable<Operation> operations() {
    return operations.values();
  }

  /**
   * Returns a proxy of the implementation on {@code member}.
   *
   * @param limit as for {@link Membership#call}
   */
  public T of(Membership membership, Member member, Duration limit) {
    return of(membership, member, NODE, limit);
  }

  /** Like {@link #of(Membership, Member, Duration)}, for the object with that number. */
  public T of(Membership membership, Member member, long object, Duration limit) {
    ContractClient client = new ContractClient(topics, membership, member, object, limit);
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                switch (operations.get(method.getName())) {
                  case Operation operation -> client.call(operation, arguments);
                  case null -> ofObject(proxy, method, arguments);
                }));
  }

  private Object ofObject(Object proxy, Method method, Object @Nullable [] arguments) {
    return switch (method.getName()) {
      case "equals" -> arguments != null && proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      case "toString" -> type.getSimpleName();
      default -> throw new UnsupportedOperationException(method.getName());
    };
  }

  /**
   * Answers calls of all methods until the result is closed.
   *
   * @param here returns the implementation for a member; invoked for each call
   */
  public Registration serve(Membership membership, Function<Member, ? extends T> here) {
    return serve(membership, (from, _, _) -> Target.of(here.apply(from)));
  }

  /** Like {@link #serve(Membership, Function)}, for objects that members call by number. */
  public Registration serve(Membership membership, Targets<T> targets) {
    return new ContractServer<>(this, membership, targets);
  }
}
