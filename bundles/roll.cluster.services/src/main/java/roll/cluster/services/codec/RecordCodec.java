package roll.cluster.services.codec;

import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.image.Picture;

/**
 * Values of types known beforehand as bytes. The types alone say what follows what: a message names
 * no class, and no class is loaded because of one. They are primitives and their boxes, texts,
 * enums, records, sealed interfaces of records, arrays, lists, sets, maps, optional values, {@code
 * Object} for values that YAML knows, and those of {@link WireTypes}.
 *
 * <p>Components of records and arguments may be null, unless they are primitives, arrays, lists,
 * sets, maps or optional; elements may not. A type that contains itself is refused, so no message
 * is nested deeper than its type.
 */
public final class RecordCodec {
  private static final Map<Class<?>, WireForm> PLAIN =
      Map.of(
          Boolean.class, WireForm.of(Boolean.class, ByteWriter::bool, ByteReader::bool),
          Integer.class, WireForm.of(Integer.class, ByteWriter::int32, ByteReader::int32),
          Long.class, WireForm.of(Long.class, ByteWriter::int64, ByteReader::int64),
          Float.class,
              WireForm.of(
                  Float.class,
                  (out, value) -> out.int32(Float.floatToRawIntBits(value)),
                  in -> Float.intBitsToFloat(in.int32())),
          Double.class, WireForm.of(Double.class, ByteWriter::float64, ByteReader::float64),
          String.class, WireForm.of(String.class, ByteWriter::text, ByteReader::text),
          boolean[].class, WireForm.of(boolean[].class, ByteWriter::bools, ByteReader::bools),
          byte[].class, WireForm.of(byte[].class, ByteWriter::bytes, ByteReader::bytes),
          Void.class, WireForm.of(Boolean.class, ByteWriter::bool, ByteReader::bool).orNull(),
          Object.class, new YamlForm());

  private final List<WireForm> forms;

  private RecordCodec(List<WireForm> forms) {
    this.forms = forms;
  }

  /**
   * The codec of messages with a value of each of {@code types}, one behind the other.
   *
   * @throws IllegalArgumentException if one of them, or a type in it, cannot be written; names it
   */
  public static RecordCodec of(Type... types) {
    return new RecordCodec(
        Arrays.stream(types).map(type -> part(type, new Scope(Map.of(), Set.of()))).toList());
  }

  /**
   * The message of {@code values}.
   *
   * @throws RuntimeException if they are of other types
   */
  public byte[] write(@Nullable Object... values) {
    return write(null, values);
  }

  /**
   * Like {@link #write(Object...)}, with pictures as numbers.
   *
   * @param pictures gets the pictures; null writes each in its place
   */
  public byte[] write(@Nullable MessagePictures pictures, @Nullable Object[] values) {
    ByteWriter out = new ByteWriter(pictures);
    for (int i = 0; i < forms.size(); i++) {
      forms.get(i).write(out, values[i]);
    }
    return out.toBytes();
  }

  /**
   * The values of {@code message}.
   *
   * @throws MalformedMessageException if it is not what {@link #write} writes, in this version
   */
  public @Nullable Object[] read(byte[] message) {
    return read(message, null);
  }

  /**
   * Like {@link #read(byte[])}, where pictures are numbers.
   *
   * @param pictures returns the pictures by the first value, a long; null where each picture is in
   *     its place
   */
  public @Nullable Object[] read(
      byte[] message, @Nullable LongFunction<@Nullable List<Picture>> pictures) {
    @Nullable Object[] values = new @Nullable Object[forms.size()];
    return ByteReader.read(
        message,
        pictures == null
            ? null
            : () ->
                Objects.requireNonNullElse(
                    pictures.apply((long) Objects.requireNonNull(values[0])), List.of()),
        in -> {
          for (int i = 0; i < values.length; i++) {
            values[i] = forms.get(i).read(in);
          }
          return values;
        });
  }

  /**
   * Where a type stands.
   *
   * @param variables forms of the type parameters of the record around it
   * @param within the records around it
   */
  private record Scope(Map<TypeVariable<?>, WireForm> variables, Set<Class<?>> within) {
    Scope in(Class<?> type, List<WireForm> arguments) {
      Set<Class<?>> more = new LinkedHashSet<>(within);
      if (!more.add(type)) {
        throw new IllegalArgumentException(type.getName() + " contains itself");
      }
      Map<TypeVariable<?>, WireForm> own = new HashMap<>();
      for (int i = 0; i < arguments.size(); i++) {
        own.put(type.getTypeParameters()[i], arguments.get(i));
      }
      return new Scope(own, more);
    }
  }

  /** Of a component or an argument, which may be null. */
  private static WireForm part(Type type, Scope scope) {
    WireForm form = form(type, scope);
    Type raw = type instanceof ParameterizedType generic ? generic.getRawType() : type;
    boolean there =
        raw instanceof Class<?> plain
            && (plain.isPrimitive()
                || plain.isArray()
                || plain == Object.class
                || plain == Optional.class
                || Collection.class.isAssignableFrom(plain)
                || Map.class.isAssignableFrom(plain));
    return there ? form : form.orNull();
  }

  private static WireForm form(Type type, Scope scope) {
    return switch (type) {
      case Class<?> plain -> form(plain, List.of(), scope);
      case ParameterizedType generic ->
          form(
              (Class<?>) generic.getRawType(),
              Stream.of(generic.getActualTypeArguments()).map(each -> form(each, scope)).toList(),
              scope);
      case WildcardType some -> form(some.getUpperBounds()[0], scope);
      case TypeVariable<?> variable -> {
        WireForm form = scope.variables.get(variable);
        if (form == null) {
          throw unknown(type);
        }
        yield form;
      }
      default -> throw unknown(type);
    };
  }

  private static WireForm form(Class<?> type, List<WireForm> arguments, Scope scope) {
    WireForm known = PLAIN.get(MethodType.methodType(type).wrap().returnType());
    if (known != null) {
      return known;
    }
    if (type == Picture.class) {
      return WireForm.of(Picture.class, ByteWriter::picture, ByteReader::picture);
    }
    WireTypes.Other<?, ?> other = WireTypes.of(type);
    if (other != null) {
      return other.form(form(other.wire(), scope));
    }
    WireForm numbers = ContainerForms.numbers(type);
    if (numbers != null) {
      return numbers;
    }
    if (type.isArray()) {
      return ContainerForms.array(type.getComponentType(), form(type.getComponentType(), scope));
    }
    if (type.isEnum()) {
      Enum<?>[] constants = (Enum<?>[]) type.getEnumConstants();
      return WireForm.of(Enum.class, ByteWriter::constant, in -> in.constant(constants));
    }
    if (type.isRecord()) {
      Scope own = scope.in(type, arguments);
      return new RecordForm(type, each -> part(each, own));
    }
    if (type.isSealed()) {
      Scope own = scope.in(type, List.of());
      return new SealedForm(type, each -> form(each, List.of(), own));
    }
    WireForm container = ContainerForms.of(type, arguments);
    if (container != null) {
      return container;
    }
    throw unknown(type);
  }

  private static IllegalArgumentException unknown(Type type) {
    return new IllegalArgumentException(type.getTypeName() + " is no type of a message");
  }
}
