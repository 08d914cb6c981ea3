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
 * Encodes values of fixed types as bytes. The types determine the encoding: a message contains no
 * class name, and decoding loads no class. Supported are primitives and their boxes, texts, enums,
 * records, sealed interfaces of records, arrays, lists, sets, maps, optional values, {@code Object}
 * for YAML values, and the types of {@link ConvertedTypes}.
 *
 * <p>Arguments and components of records may be null, unless they are primitives, arrays, lists,
 * sets, maps or optional; elements may not be null. A type that contains itself is refused, which
 * limits the depth of a message.
 */
public final class RecordCodec {
  private static final Map<Class<?>, ValueCodec> PLAIN =
      Map.of(
          Boolean.class, ValueCodec.of(Boolean.class, ByteWriter::bool, ByteReader::bool),
          Integer.class, ValueCodec.of(Integer.class, ByteWriter::int32, ByteReader::int32),
          Long.class, ValueCodec.of(Long.class, ByteWriter::int64, ByteReader::int64),
          Float.class,
              ValueCodec.of(
                  Float.class,
                  (out, value) -> out.int32(Float.floatToRawIntBits(value)),
                  in -> Float.intBitsToFloat(in.int32())),
          Double.class, ValueCodec.of(Double.class, ByteWriter::float64, ByteReader::float64),
          String.class, ValueCodec.of(String.class, ByteWriter::text, ByteReader::text),
          boolean[].class, ValueCodec.of(boolean[].class, ByteWriter::bools, ByteReader::bools),
          byte[].class, ValueCodec.of(byte[].class, ByteWriter::bytes, ByteReader::bytes),
          Void.class, ValueCodec.of(Boolean.class, ByteWriter::bool, ByteReader::bool).orNull(),
          Object.class, new YamlValueCodec());

  private final List<ValueCodec> codecs;

  private RecordCodec(List<ValueCodec> codecs) {
    this.codecs = codecs;
  }

  /**
   * Returns the codec of messages with one value of each of {@code types}.
   *
   * @throws IllegalArgumentException if one of them contains a type that is not supported; names it
   */
  public static RecordCodec of(Type... types) {
    return new RecordCodec(
        Arrays.stream(types).map(type -> part(type, new Scope(Map.of(), Set.of()))).toList());
  }

  /**
   * Encodes {@code values} as one message.
   *
   * @throws RuntimeException if they have other types
   */
  public byte[] write(@Nullable Object... values) {
    return write(null, values);
  }

  /**
   * Like {@link #write(Object...)}, with pictures as numbers.
   *
   * @param pictures receives the pictures; null to write their bytes
   */
  public byte[] write(@Nullable MessagePictures pictures, @Nullable Object[] values) {
    ByteWriter out = new ByteWriter(pictures);
    for (int i = 0; i < codecs.size(); i++) {
      codecs.get(i).write(out, values[i]);
    }
    return out.toBytes();
  }

  /**
   * Decodes the values of {@code message}.
   *
   * @throws MalformedMessageException if {@link #write} cannot have written it
   */
  public @Nullable Object[] read(byte[] message) {
    return read(message, null);
  }

  /**
   * Like {@link #read(byte[])}, where pictures are numbers.
   *
   * @param pictures returns the pictures by the first value, a long; null if the message contains
   *     their bytes
   */
  public @Nullable Object[] read(
      byte[] message, @Nullable LongFunction<@Nullable List<Picture>> pictures) {
    @Nullable Object[] values = new @Nullable Object[codecs.size()];
    return ByteReader.read(
        message,
        pictures == null
            ? null
            : () ->
                Objects.requireNonNullElse(
                    pictures.apply((long) Objects.requireNonNull(values[0])), List.of()),
        in -> {
          for (int i = 0; i < values.length; i++) {
            values[i] = codecs.get(i).read(in);
          }
          return values;
        });
  }

  /**
   * Context of a type.
   *
   * @param variables codecs of the type parameters of the enclosing record
   * @param within the enclosing records
   */
  private record Scope(Map<TypeVariable<?>, ValueCodec> variables, Set<Class<?>> within) {
    Scope in(Class<?> type, List<ValueCodec> arguments) {
      Set<Class<?>> more = new LinkedHashSet<>(within);
      if (!more.add(type)) {
        throw new IllegalArgumentException(type.getName() + " contains itself");
      }
      Map<TypeVariable<?>, ValueCodec> own = new HashMap<>();
      for (int i = 0; i < arguments.size(); i++) {
        own.put(type.getTypeParameters()[i], arguments.get(i));
      }
      return new Scope(own, more);
    }
  }

  /** Returns the codec of a component or an argument, which may be null. */
  private static ValueCodec part(Type type, Scope scope) {
    ValueCodec codec = codec(type, scope);
    Type raw = type instanceof ParameterizedType generic ? generic.getRawType() : type;
    boolean there =
        raw instanceof Class<?> plain
            && (plain.isPrimitive()
                || plain.isArray()
                || plain == Object.class
                || plain == Optional.class
                || Collection.class.isAssignableFrom(plain)
                || Map.class.isAssignableFrom(plain));
    return there ? codec : codec.orNull();
  }

  private static ValueCodec codec(Type type, Scope scope) {
    return switch (type) {
      case Class<?> plain -> codec(plain, List.of(), scope);
      case ParameterizedType generic ->
          codec(
              (Class<?>) generic.getRawType(),
              Stream.of(generic.getActualTypeArguments()).map(each -> codec(each, scope)).toList(),
              scope);
      case WildcardType some -> codec(some.getUpperBounds()[0], scope);
      case TypeVariable<?> variable -> {
        ValueCodec codec = scope.variables.get(variable);
        if (codec == null) {
          throw unknown(type);
        }
        yield codec;
      }
      default -> throw unknown(type);
    };
  }

  private static ValueCodec codec(Class<?> type, List<ValueCodec> arguments, Scope scope) {
    ValueCodec known = PLAIN.get(MethodType.methodType(type).wrap().returnType());
    if (known != null) {
      return known;
    }
    if (type == Picture.class) {
      return ValueCodec.of(Picture.class, ByteWriter::picture, ByteReader::picture);
    }
    ConvertedTypes.Conversion<?, ?> conversion = ConvertedTypes.of(type);
    if (conversion != null) {
      return conversion.codec(codec(conversion.wire(), scope));
    }
    ValueCodec numbers = ContainerCodecs.numbers(type);
    if (numbers != null) {
      return numbers;
    }
    if (type.isArray()) {
      return ContainerCodecs.array(type.getComponentType(), codec(type.getComponentType(), scope));
    }
    if (type.isEnum()) {
      Enum<?>[] constants = (Enum<?>[]) type.getEnumConstants();
      return ValueCodec.of(Enum.class, ByteWriter::constant, in -> in.constant(constants));
    }
    if (type.isRecord()) {
      Scope own = scope.in(type, arguments);
      return new RecordValueCodec(type, each -> part(each, own));
    }
    if (type.isSealed()) {
      Scope own = scope.in(type, List.of());
      return new SealedValueCodec(type, each -> codec(each, List.of(), own));
    }
    ValueCodec container = ContainerCodecs.of(type, arguments);
    if (container != null) {
      return container;
    }
    throw unknown(type);
  }

  private static IllegalArgumentException unknown(Type type) {
    return new IllegalArgumentException(type.getTypeName() + " is not supported in messages");
  }
}
