package roll.deploy;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.constantpool.MethodRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.StreamSupport;

/**
 * Replaces calls of JDK methods that end or change the whole process in the classes of plugins. The
 * replacement throws a {@link SecurityException} with the plugin's name, so that only the operation
 * of the plugin fails. Calls by reflection are not detected.
 */
final class ForbiddenCalls {
  private static final ClassDesc SECURITY_EXCEPTION = ClassDesc.of("java.lang.SecurityException");

  private static final Map<String, Set<String>> METHODS =
      Map.of(
          "java/lang/System", Set.of("exit", "setOut", "setErr", "setIn", "setProperties"),
          "java/lang/Runtime", Set.of("exit", "halt"),
          "java/lang/Thread", Set.of("setDefaultUncaughtExceptionHandler"),
          "java/util/Locale", Set.of("setDefault"),
          "java/util/TimeZone", Set.of("setDefault"));

  private final String plugin;
  private final ClassHierarchyResolver classes;
  private final Map<Call, String> stubs = new LinkedHashMap<>();

  private record Call(String owner, String name, MethodTypeDesc type) {}

  private ForbiddenCalls(String plugin, ClassHierarchyResolver classes) {
    this.plugin = plugin;
    this.classes = classes;
  }

  /**
   * Returns the class {@code bytes} with such calls replaced; empty if it has none.
   *
   * @param plugin name and version, for the exception
   * @param classes resolver of the types that {@code bytes} refers to
   */
  static Optional<byte[]> replace(byte[] bytes, String plugin, ClassHierarchyResolver classes) {
    ClassModel model = ClassFile.of().parse(bytes);
    boolean calls =
        StreamSupport.stream(model.constantPool().spliterator(), false)
            .anyMatch(ForbiddenCalls::is);
    return calls
        ? Optional.of(new ForbiddenCalls(plugin, classes).replaced(model))
        : Optional.empty();
  }

  private static boolean is(PoolEntry entry) {
    return entry instanceof MethodRefEntry method
        && is(method.owner().asInternalName(), method.name().stringValue());
  }

  private static boolean is(String owner, String name) {
    return METHODS.getOrDefault(owner, Set.of()).contains(name);
  }

  private byte[] replaced(ClassModel model) {
    ClassDesc self = model.thisClass().asSymbol();
    boolean inInterface = model.flags().has(AccessFlag.INTERFACE);
    ClassTransform calls =
        ClassTransform.transformingMethodBodies(
            (builder, element) -> replace(builder, element, self, inInterface));
    return ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(classes))
        .transformClass(model, calls.andThen(ClassTransform.endHandler(this::addStubs)));
  }

  private void replace(
      CodeBuilder builder, CodeElement element, ClassDesc self, boolean inInterface) {
    switch (element) {
      case InvokeInstruction call
          when is(call.owner().asInternalName(), call.name().stringValue()) -> {
        boolean isStatic = call.opcode() == java.lang.classfile.Opcode.INVOKESTATIC;
        MethodTypeDesc type = type(call.owner().asSymbol(), call.typeSymbol(), isStatic);
        String stub = stub(call.owner().asInternalName(), call.name().stringValue(), type);
        builder.invokestatic(self, stub, type, inInterface);
      }
      case InvokeDynamicInstruction call -> {
        List<ConstantDesc> arguments =
            call.bootstrapArgs().stream().map(a -> replace(a, self, inInterface)).toList();
        builder.invokedynamic(
            DynamicCallSiteDesc.of(
                call.bootstrapMethod(),
                call.name().stringValue(),
                call.typeSymbol(),
                arguments.toArray(ConstantDesc[]::new)));
      }
      default -> builder.with(element);
    }
  }

  /** Replaces a method reference such as {@code System::exit}. */
  private ConstantDesc replace(ConstantDesc argument, ClassDesc self, boolean inInterface) {
    if (!(argument instanceof DirectMethodHandleDesc handle)
        || !is(internal(handle.owner()), handle.methodName())) {
      return argument;
    }
    boolean isStatic = handle.kind() == DirectMethodHandleDesc.Kind.STATIC;
    MethodTypeDesc plain = MethodTypeDesc.ofDescriptor(handle.lookupDescriptor());
    MethodTypeDesc type = type(handle.owner(), plain, isStatic);
    return MethodHandleDesc.ofMethod(
        inInterface
            ? DirectMethodHandleDesc.Kind.INTERFACE_STATIC
            : DirectMethodHandleDesc.Kind.STATIC,
        self,
        stub(internal(handle.owner()), handle.methodName(), type),
        type);
  }

  private static String internal(ClassDesc type) {
    String descriptor = type.descriptorString();
    return descriptor.substring(1, descriptor.length() - 1);
  }

  /** Returns {@code type} with the receiver, if any, as first parameter. */
  private static MethodTypeDesc type(ClassDesc owner, MethodTypeDesc type, boolean isStatic) {
    return isStatic ? type : type.insertParameterTypes(0, owner);
  }

  private String stub(String owner, String name, MethodTypeDesc type) {
    return stubs.computeIfAbsent(
        new Call(owner, name, type), call -> "roll$forbidden$" + stubs.size());
  }

  private void addStubs(ClassBuilder builder) {
    stubs.forEach(
        (call, name) ->
            builder.withMethodBody(
                name,
                call.type(),
                ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC,
                code ->
                    code.new_(SECURITY_EXCEPTION)
                        .dup()
                        .loadConstant(message(call))
                        .invokespecial(
                            SECURITY_EXCEPTION,
                            ConstantDescs.INIT_NAME,
                            MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String))
                        .athrow()));
  }

  private String message(Call call) {
    String owner = call.owner().substring(call.owner().lastIndexOf('/') + 1);
    return "the plugin " + plugin + " must not call " + owner + "." + call.name();
  }
}
