// How the C library ends a thread in a command without tables for unwinding (docs/decisions/0023). Only the released
// command is linked with --wrap=_Unwind_ForcedUnwind; elsewhere this is never called.
#if defined(__linux__)
#include <stdlib.h>
#include <unwind.h>

_Unwind_Reason_Code __wrap__Unwind_ForcedUnwind(struct _Unwind_Exception *exception, _Unwind_Stop_Fn stop, void *parameter);

// pthread_exit(3) walks over the frames of the thread to run what C++ or __attribute__((cleanup)) left to do in them,
// of which there is nothing. It is called with the flag for the end of the stack, where it jumps to the end of the
// thread and runs the destructors of pthread_key_create(3).
_Unwind_Reason_Code __wrap__Unwind_ForcedUnwind(struct _Unwind_Exception *exception, _Unwind_Stop_Fn stop, void *parameter) {
  stop(1, _UA_FORCE_UNWIND | _UA_CLEANUP_PHASE | _UA_END_OF_STACK, exception->exception_class, exception, NULL, parameter);
  abort();
}
#endif
